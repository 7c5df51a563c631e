// The bundler puts the module in here; see js/build/bundle.mjs.

/** Base64 of the deflated module. */
export default function packed(): string;
