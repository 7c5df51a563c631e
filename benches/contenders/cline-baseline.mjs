// Calls compared as Cline compares them.

/**
 * What Cline's tracker does with a call, in a few lines of our own: a copy with all keys sorted, as
 * JSON, compared with the call before. Its package exports no such class.
 */
export function contender() {
  let lastName = "";
  let lastArguments = "";
  let count = 0;
  let hasFired = false;
  return {
    name: "Cline's way",
    callEvent: (name, args) => ({ name, args }),
    take: ({ name, args }) => {
      const sorted = typeof args === "string" ? args : JSON.stringify(sortKeys(args));
      count = name === lastName && sorted === lastArguments ? count + 1 : 1;
      lastName = name;
      lastArguments = sorted;
      hasFired ||= count >= 3;
    },
    hasFired: () => hasFired,
  };
}

function sortKeys(value) {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(sortKeys);
  const sorted = {};
  for (const key of Object.keys(value).sort()) sorted[key] = sortKeys(value[key]);
  return sorted;
}
