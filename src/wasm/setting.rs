//! Settings from JavaScript objects.

use js_sys::{Array, Reflect, RegExp};
use wasm_bindgen::{JsCast, JsValue};

use crate::setting::Setting;

/// Deeper nesting than any setting has; what lies below is no setting.
const DEEPEST: usize = 8;

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
        if Array::is_array(value) {
            let array = Array::from(value);
            let mut items = Vec::new();
            for place in 0..array.length() {
                items.push(Self::from_js_within(&array.get(place), depth)?);
            }
            return Ok(Self::List(items));
        }
        if let Some(pattern) = value.dyn_ref::<RegExp>() {
            let (source, flags) = (pattern.source(), pattern.flags());
            return Ok(Self::Pattern {
                source: source.into(),
                flags: flags.into(),
            });
        }
        if !value.is_object() || value.is_function() {
            return Ok(Self::Other);
        }
        let mut fields = Vec::new();
        let names = Reflect::own_keys(value)?;
        for place in 0..names.length() {
            let name = names.get(place);
            let Some(text) = name.as_string() else {
                continue;
            };
            let item = Reflect::get(value, &name)?;
            // As with a destructured parameter, undefined is the same as left out.
            if !item.is_undefined() {
                fields.push((text, Self::from_js_within(&item, depth)?));
            }
        }
        Ok(Self::Fields(fields))
    }
}
