export * from './invoices';
export * from './orders';
