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
            let items = Array::from(value);
            let items = items.iter().map(|item| Self::from_js_within(&item, depth));
            return Ok(Self::List(items.collect::<Result<_, _>>()?));
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
        for name in Reflect::own_keys(value)?.iter() {
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
