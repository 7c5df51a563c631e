// The bundler puts the module in here; see js/build/bundle.mjs.

/** Base64 of the deflated module. */
declare const packed: string;
export default packed;
