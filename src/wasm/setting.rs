//! Settings from JavaScript objects.

use wasm_bindgen::prelude::*;

use crate::setting::Setting;

/// Deeper nesting than any setting has; what lies below is no setting.
const DEEPEST: usize = 8;

// Declared here, for `js-sys` brings its closures into the module even where none is used.
#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = Reflect, js_name = ownKeys, catch)]
    fn names(value: &JsValue) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(js_namespace = Reflect, js_name = get, catch)]
    fn property(value: &JsValue, name: &JsValue) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(js_namespace = Array, js_name = isArray)]
    fn is_array(value: &JsValue) -> bool;

    type RegExp;
}

fn length(array: &JsValue) -> Result<u32, JsValue> {
    let length = property(array, &JsValue::from_str("length"))?;
    Ok(length.as_f64().unwrap_or_default() as u32)
}

/// A property that is a string, or nothing.
fn text(value: &JsValue, name: &str) -> Result<String, JsValue> {
    let text = property(value, &JsValue::from_str(name))?;
    Ok(text.as_string().unwrap_or_default())
}

fn item(array: &JsValue, place: u32) -> Result<JsValue, JsValue> {
    property(array, &JsValue::from_f64(place.into()))
}

impl Setting {
    /// Reads an object. An exception of a getter or a proxy is handed on.
    pub(crate) fn from_js(value: &JsValue) -> Result<Self, JsValue> {
        Self::from_js_within(value, DEEPEST)
    }

    fn from_js_within(value: &JsValue, depth: usize) -> Result<Self, JsValue> {
        let Some(depth) = depth.checked_sub(1) else {
            return Ok(Self::Other);
        };
        if let Some(flag) = value.as_bool() {
            return Ok(Self::Flag(flag));
        }
        if let Some(number) = value.as_f64() {
            return Ok(Self::Number(number));
        }
        if let Some(text) = value.as_string() {
            return Ok(Self::Text(text));
        }
        if is_array(value) {
            let mut items = Vec::new();
            for place in 0..length(value)? {
                items.push(Self::from_js_within(&item(value, place)?, depth)?);
            }
            return Ok(Self::List(items));
        }
        if value.is_instance_of::<RegExp>() {
            return Ok(Self::Pattern {
                source: text(value, "source")?,
                flags: text(value, "flags")?,
            });
        }
        if !value.is_object() {
            return Ok(Self::Other);
        }
        let names = names(value)?;
        let mut fields = Vec::new();
        for place in 0..length(&names)? {
            let name = item(&names, place)?;
            let Some(text) = name.as_string() else {
                continue;
            };
            let value = property(value, &name)?;
            // As with a destructured parameter, undefined is the same as left out.
            if !value.is_undefined() {
                fields.push((text, Self::from_js_within(&value, depth)?));
            }
        }
        Ok(Self::Fields(fields))
    }
}
