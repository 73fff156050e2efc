interface JsonFieldProps {
  label: string;
  name: string;
}

/** A field of a form for a value as JSON; empty, it is null. */
export const JsonField = ({ label, name }: JsonFieldProps) => (
  <label>
    {label}, as JSON <textarea name={name} rows={4} />
  </label>
);

/** The text of a field as JSON. @throws Error that says so */
export function jsonIn(form: FormData, name: string): unknown {
  const field = form.get(name);
  const text = typeof field === 'string' ? field.trim() : '';
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    throw new Error(`${name} is not JSON`);
  }
}
