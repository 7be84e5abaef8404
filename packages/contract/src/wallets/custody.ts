import * as z from 'zod/mini'

import { usd } from '../kit/codecs.ts'

const key = (holder: 'merchant' | 'server', where: string, canSign: readonly string[], worstCase: string) =>
  ({ holder, where, canSign, worstCase }) as const

/** Every key of an install, who holds it, and the worst that a thief can do with it (money.md 5.4). */
export const CUSTODY_KEYS = {
  deposit_seed: key(
    'merchant',
    'where the recovery phrase is kept',
    ['every transfer from a deposit address of its wallet'],
    'Everything at its deposit addresses that was not moved on yet, for ever.',
  ),
  cold_key: key(
    'merchant',
    'in the cold wallet',
    ['transfers of what has arrived there'],
    'Everything that arrived there.',
  ),
  contract_owner: key(
    'merchant',
    'in the wallet that deployed the sweep contract',
    ['proposals of another cold address, which wait 48 hours'],
    'After 48 hours without a veto: what its deposit addresses get from then on.',
  ),
  account_xpub: key(
    'server',
    'in the database',
    [],
    'Privacy: it links all payers. With one private key of a deposit address it gives all of them, so none is ever exported.',
  ),
  gas_key: key(
    'server',
    'in a vault',
    ['transactions that pay network fees'],
    'The balance of the gas wallets; the limit of each keeps it small.',
  ),
  payout_key: key(
    'server',
    'in a vault',
    ['payouts'],
    'The balance of the payout wallets; the limit of each keeps it small.',
  ),
  master_key: key(
    'server',
    'in a file or the environment',
    ['opens the vaults without a passphrase'],
    'The hot keys in vaults without a passphrase, and the accounts of mail server and nodes.',
  ),
  passphrase: key(
    'merchant',
    'with people',
    ['opens its vault, together with the master key'],
    'With the master key: what the hot keys in that vault hold. Forgotten, they are lost.',
  ),
  operator_session: key(
    'merchant',
    'with each member',
    ['what their role permits'],
    'One person: what needs no second approval. Money is confirmed with a second factor, for exactly what is shown.',
  ),
  api_key: key(
    'merchant',
    'in the shop',
    ['payments', 'requests for payouts'],
    'Payouts up to what needs no approval: 0 by default.',
  ),
  address_proof_key: key(
    'server',
    'in a vault',
    ['“this address belongs to this payment”'],
    'False proofs, with false addresses beside them.',
  ),
  whole_server: key(
    'server',
    'database, program and keys together',
    ['everything the server signs'],
    'The balance of the hot wallets, and new payments to a false address until somebody notices.',
  ),
} as const

export type CustodyKeyName = keyof typeof CUSTODY_KEYS

export const CustodyKey = z.object({
  key: z.enum(Object.keys(CUSTODY_KEYS) as [CustodyKeyName, ...CustodyKeyName[]]),
  holder: z.enum(['merchant', 'server']),
  where: z.string(),
  canSign: z.array(z.string()),
  worstCase: z.string(),
  /** The balance of the hot wallets that it opens, by the ledger, at present prices; null where it opens no hot wallet. */
  floatInUSD: z.nullable(usd),
})

export type CustodyKey = z.output<typeof CustodyKey>
