/** The version in package.json; a test compares them. */
export const PACKAGE_VERSION = '0.1.0';
