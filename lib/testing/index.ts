export { type ConformanceCase } from './conformance/case.js';
