/** Capabilities that several parts share: the first part that asks makes the capability, once for each context. */

/**
 * Returns the getter of a shared capability. The getter returns the same value for the same context; different
 * contexts, such as those of two servers in one process, share nothing.
 */
export function perContext<Context extends object, Value>(
  make: (context: Context) => Value,
): (context: Context) => Value {
  const made = new WeakMap<Context, { readonly value: Value }>();
  return (context) => {
    const known = made.get(context);
    if (known !== undefined) return known.value;
    const value = make(context);
    made.set(context, { value });
    return value;
  };
}
