/** The lines of a CSV file as payouts to request: whom each one is for, and what is wrong in it. */
import { repeatedRows } from '@kassa/contract/withdrawals/batch-rules.ts'
import type { Recipient } from '@kassa/contract/recipients/schemas.ts'
import type { PayoutBalance } from '@kassa/contract/withdrawals/schemas.ts'
import { isSameAddress } from '@kassa/keys/address-case.ts'
import { ASSETS } from '@kassa/primitives/chains/assets.ts'
import { t } from '@lingui/core/macro'

import type { PayoutRows } from '../../../api/payouts.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import { amountError, bareAmount, wireAmount } from '../../../lib/text/amount-text.ts'
import { recipientProblem } from '../create/new-payout.ts'

/** The columns of the template; a file may have them in any order and leave out network and note. */
export const COLUMNS = ['recipient', 'network', 'currency', 'amount', 'reference', 'note'] as const
export const NEEDED_COLUMNS: readonly ColumnName[] = ['recipient', 'currency', 'amount', 'reference']

export type ColumnName = (typeof COLUMNS)[number]
export type PayoutValues = Readonly<Record<ColumnName, string>>

/** A line of the file. */
export type PayoutLine = { readonly line: number; readonly values: PayoutValues }

export type CheckedLine = PayoutLine & {
  /** Whom it is for; undefined where that is not clear. */
  readonly recipient: Recipient | undefined
  /** The amount as it goes over the wire. */
  readonly amount: string
  readonly problems: readonly string[]
}

/** What the lines are checked against. */
export type Known = { readonly recipients: readonly Recipient[]; readonly balances: readonly PayoutBalance[] }

/** The longest texts that the server stores. */
const LONGEST_REFERENCE = 255
const LONGEST_NOTE = 500

/** Returns each line with its recipient and all that is wrong in it. */
export function checkLines(lines: readonly PayoutLine[], known: Known): CheckedLine[] {
  const references = lines.map(({ values }) => values.reference)
  const repeated = new Set(repeatedRows(references))
  return lines.map(({ line, values }, at) => {
    const found = findRecipient(values, known.recipients)
    const decimals = found.recipient === undefined ? undefined : decimalsOf(found.recipient, values.currency)
    const bare = bareAmount(values.amount, values.currency)
    const problems = [
      found.problem,
      found.recipient && assetProblem(found.recipient, values.currency, known.balances),
      amountProblem(bare, decimals ?? MOST_DECIMALS),
      referenceProblem(values.reference, repeated.has(at)),
      values.note.length > LONGEST_NOTE ? t`The note is longer than 500 characters` : undefined,
    ]
    return {
      ...{ line, values, recipient: found.recipient, amount: wireAmount(bare, decimals ?? MOST_DECIMALS) },
      problems: problems.filter((one) => one !== undefined),
    }
  })
}

/** Returns the request for lines without problems. */
export function toRows(lines: readonly CheckedLine[]): PayoutRows {
  return lines.flatMap(({ recipient, amount, values }) =>
    recipient === undefined
      ? []
      : [
          {
            recipientID: recipient.id,
            currencyCode: values.currency.toUpperCase(),
            amount,
            clientReference: values.reference,
            ...(values.note !== '' && { note: values.note }),
          },
        ],
  )
}

type FoundRecipient = { readonly recipient: Recipient | undefined; readonly problem: string | undefined }

/** Finds a recipient by its saved name, e-mail or address; the network distinguishes those that share one. */
function findRecipient({ recipient: text, network }: PayoutValues, recipients: readonly Recipient[]): FoundRecipient {
  if (text === '') return { recipient: undefined, problem: t`The recipient is missing` }
  const folded = text.toLowerCase()
  const named = recipients.filter(
    ({ name, email, address }) =>
      [name, email].some((one) => one.toLowerCase() === folded) || isSameAddress(address, text),
  )
  const found = network === '' ? named : named.filter(({ blockchainCode }) => isNetwork(blockchainCode, network))
  const [first, second] = found
  if (first === undefined) {
    const problem = named.length === 0 ? t`No recipient matches “${text}”` : t`“${text}” has no address on ${network}`
    return { recipient: undefined, problem }
  }
  if (second !== undefined) {
    return { recipient: undefined, problem: t`Several recipients match “${text}”: enter the network, or the address` }
  }
  const inactive = recipientProblem(first)
  return { recipient: first, problem: inactive === undefined ? undefined : t`${first.name}: ${inactive}` }
}

function isNetwork(code: string, text: string): boolean {
  return [code, networkName(code)].some((one) => one.toLowerCase() === text.toLowerCase())
}

function assetProblem(
  { blockchainCode }: Recipient,
  currency: string,
  balances: readonly PayoutBalance[],
): string | undefined {
  if (currency === '') return t`The currency is missing`
  const isPayable = balances.some(
    (one) => one.blockchainCode === blockchainCode && one.currencyCode === currency.toUpperCase(),
  )
  const network = networkName(blockchainCode)
  return isPayable ? undefined : t`Payouts in ${currency} on ${network} are not possible`
}

function amountProblem(bare: string, decimals: number): string | undefined {
  if (bare === '') return t`The amount is missing`
  const wrong = amountError(bare, decimals)
  if (wrong !== undefined) return wrong
  return /[1-9]/.test(bare) ? undefined : t`Amount must be greater than 0`
}

function referenceProblem(reference: string, isRepeated: boolean): string | undefined {
  if (reference === '') return t`The reference is missing`
  if (isRepeated) return t`Another line has the reference “${reference}”`
  return reference.length > LONGEST_REFERENCE ? t`The reference is longer than 255 characters` : undefined
}

/** As many as any asset has, until it is known which one it is. */
const MOST_DECIMALS = 18

function decimalsOf({ blockchainCode }: Recipient, currency: string): number | undefined {
  const code = currency.toUpperCase()
  return ASSETS.find((one) => one.blockchain === blockchainCode && one.currency === code)?.decimals
}
