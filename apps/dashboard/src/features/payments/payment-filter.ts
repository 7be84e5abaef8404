import type { PaymentFilter } from '../../api/payments.ts'

/** The states a list can be narrowed to, with the words the server knows them by. */
export const STATUS_CHIPS = [
  { value: 'OPEN', label: 'Open' },
  { value: 'CONFIRMING', label: 'Confirming' },
  { value: 'PARTIALLY_FILLED', label: 'Partly paid' },
  { value: 'FILLED', label: 'Paid' },
  { value: 'OVER_FILLED', label: 'Overpaid' },
  { value: 'EXPIRED', label: 'Expired' },
  { value: 'CANCELLED', label: 'Cancelled' },
  { value: 'LATE', label: 'Late' },
  { value: 'REOPENED', label: 'Reopened' },
] as const

const KNOWN: ReadonlySet<string> = new Set(STATUS_CHIPS.map(({ value }) => value))

/** Returns the states an address asks for; what it cannot ask for is left out. */
export function statusesOf(text: string | undefined): string[] {
  return [...new Set((text ?? '').split(',').filter((value) => KNOWN.has(value)))]
}

/** Returns the address text of the states with one added or taken out; `undefined` when none is left. */
export function toggledStatus(text: string | undefined, value: string): string | undefined {
  const before = statusesOf(text)
  const after = before.includes(value) ? before.filter((one) => one !== value) : [...before, value]
  return after.length === 0 ? undefined : after.join(',')
}

/** States that a person should look at: short, over, late, and taken back by the network. */
export const ATTENTION = 'PARTIALLY_FILLED,OVER_FILLED,LATE,REOPENED'

/** Returns what an address narrows the list to, without its order and page: what an export holds too. */
export function narrowingOf({ query, status }: Readonly<Record<string, string>>) {
  const statuses = statusesOf(status)
  return { ...(query && { query }), ...(statuses.length > 0 && { paymentStatus: statuses }) }
}

/** Returns what the server is asked for by an address. */
export function filterOf(search: Readonly<Record<string, string>>): PaymentFilter {
  return {
    ...narrowingOf(search),
    ...(search.sortBy && { sortBy: search.sortBy, sortDirection: search.sortDirection === 'ASC' ? 'ASC' : 'DESC' }),
    ...(search.cursor && { cursor: search.cursor }),
  }
}

/** Whether an address narrows the list, so that an empty one has a reason. */
export function isNarrowed(search: Readonly<Record<string, string>>): boolean {
  return Boolean(search.query) || statusesOf(search.status).length > 0
}
