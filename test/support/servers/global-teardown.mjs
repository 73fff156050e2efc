// @ts-check
import { stopServers } from './global-setup.mjs';

export default () => stopServers();
