import type { PayoutConfig } from '@kassa/contract/payout-policy/schemas.ts'

import type { PayoutConfigChange } from '../../api/payout-policy.ts'

export type StepValues = { readonly key: number; readonly aboveUSD: string; readonly approvals: string }

/** The policy as a form holds it: texts as they are typed. */
export type PolicyValues = {
  readonly autoApproveLimitInUSD: string
  readonly hourlyLimitInUSD: string
  readonly dailyLimitInUSD: string
  readonly quorum: string
  readonly quorumRules: readonly StepValues[]
  readonly fourEyes: PayoutConfig['fourEyes']
  /** One address per line. */
  readonly allowList: string
  readonly recipientDelayHours: string
}

/** Reads a policy as the form holds it. */
export function valuesOf(config: PayoutConfig): PolicyValues {
  return {
    autoApproveLimitInUSD: config.autoApproveLimitInUSD,
    hourlyLimitInUSD: config.hourlyLimitInUSD,
    dailyLimitInUSD: config.dailyLimitInUSD,
    quorum: String(config.quorum),
    quorumRules: config.quorumRules.map(({ aboveUSD, approvals }, key) => ({
      key,
      aboveUSD,
      approvals: String(approvals),
    })),
    fourEyes: config.fourEyes,
    allowList: config.allowList.join('\n'),
    recipientDelayHours: String(config.recipientDelayHours),
  }
}

/** Returns what the form asks for; an empty number is missing, so that the contract's own text says so. */
export function requestOf(values: PolicyValues): PayoutConfigChange {
  const number = (text: string) => (text.trim() === '' ? Number.NaN : Number(text))
  return {
    autoApproveLimitInUSD: values.autoApproveLimitInUSD,
    hourlyLimitInUSD: values.hourlyLimitInUSD,
    dailyLimitInUSD: values.dailyLimitInUSD,
    quorum: number(values.quorum),
    quorumRules: values.quorumRules.map(({ aboveUSD, approvals }) => ({ aboveUSD, approvals: number(approvals) })),
    fourEyes: values.fourEyes,
    allowList: addressesOf(values.allowList),
    recipientDelayHours: number(values.recipientDelayHours),
  }
}

/** The addresses of a text, one per line or parted by commas. */
export function addressesOf(text: string): string[] {
  return text
    .split(/[\s,;]+/)
    .map((one) => one.trim())
    .filter((one) => one !== '')
}

/** Returns the fields that the form changes. */
export function changesOf(before: PolicyValues, values: PolicyValues): PayoutConfigChange {
  const [from, to] = [requestOf(before), requestOf(values)]
  const names = Object.keys(to) as (keyof PayoutConfigChange)[]
  return Object.fromEntries(
    names.filter((name) => JSON.stringify(from[name]) !== JSON.stringify(to[name])).map((name) => [name, to[name]]),
  )
}

/** Puts what was typed over a policy that was saved meanwhile. `isMixed`: both changed rules, so that neither knew what results. */
export function mergeValues(
  start: PayoutConfig,
  saved: PayoutConfig,
  values: PolicyValues,
): { readonly values: PolicyValues; readonly isMixed: boolean } {
  const [before, theirs] = [valuesOf(start), valuesOf(saved)]
  const typed = new Set<string>(Object.keys(changesOf(before, values)))
  const merged = Object.fromEntries(
    Object.entries(theirs).map(([name, value]) => [name, typed.has(name) ? values[name as keyof PolicyValues] : value]),
  ) as PolicyValues
  const isChanged = (one: PolicyValues, other: PolicyValues) => Object.keys(changesOf(one, other)).length > 0
  return { values: merged, isMixed: isChanged(before, theirs) && isChanged(theirs, merged) }
}
