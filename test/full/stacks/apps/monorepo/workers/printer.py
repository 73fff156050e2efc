"""Prints invoices. `worker.py` beside it is the one that the documentation of nest-durable shows."""

import worker


def print_invoice(invoice, step):
    return {"text": f"{invoice['number']}: {invoice['total']} euros"}


worker.HANDLERS = {"invoices.print": print_invoice}
worker.GROUPS = sorted(worker.group_of(name) for name in worker.HANDLERS)
worker.main()
