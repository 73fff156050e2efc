/** @param {import('../server.js').Address} address */
export const urlOf = ({ host, port, user, password, database }) =>
  `postgresql://${user}:${password}@${host}:${port}/${database}`;
