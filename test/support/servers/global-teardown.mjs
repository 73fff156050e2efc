// @ts-check
import { removePrograms, stopServers } from './global-setup.mjs';

export default () => {
  removePrograms();
  return stopServers();
};
