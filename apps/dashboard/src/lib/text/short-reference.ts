/** Payments of one day begin alike: what tells them apart stands at the end. */
const TELLING = 6

/** Returns a payment's reference as it is shown where it must be distinguished from others: "…c48f11". */
export function shortReference(reference: string): string {
  return reference.length <= TELLING ? reference : `…${reference.slice(-TELLING)}`
}
