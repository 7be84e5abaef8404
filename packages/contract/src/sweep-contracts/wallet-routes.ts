/** Calls of contracts that the merchant's own wallet signs and that are sent through Kassa's nodes (TRON). */
import * as z from 'zod/mini'

import { text } from '../kit/fields.ts'
import { route } from '../kit/route.ts'
import { SentDraft, SignedDraft, WalletDraft } from '../sends/wallet-drafts.ts'

const params = z.object({ b: z.string() })

/** The permission to register contracts, or the one to sweep them. */
const ACCESS = { permission: ['contract:write', 'sweep:write'] } as const

const ERRORS = ['BLOCKCHAIN_NOT_FOUND', 'FAMILY_UNSUPPORTED', 'NODE_UNREACHABLE'] as const

/** A call without coins. */
export const WalletCall = z.object({
  from: text('Account', { max: 100 }),
  to: text('Contract', { max: 100 }),
  data: text('Call', { max: 4000 }).check(
    z.regex(/^0x(?:[0-9a-f]{2})+$/i, { error: 'Call must be hexadecimal, with 0x' }),
  ),
})
export type WalletCall = z.output<typeof WalletCall>

/** What such a call is, and which code is at its address. */
export const CallDraft = z.extend(WalletDraft, {
  /** Keccak-256 of the code at the contract's address, as K1 has it; null without code. */
  codeHash: z.nullable(z.string()),
})
export type CallDraft = z.output<typeof CallDraft>

export const contractCallRoutes = {
  draftCall: route({
    id: 'K17',
    methods: ['POST'],
    paths: ['/blockchain-contract/blockchain/{b}/wallet-call'],
    summary: 'Write a call of a contract for a wallet to sign',
    access: ACCESS,
    rate: 'egress',
    params,
    body: WalletCall,
    response: CallDraft,
    errors: [...ERRORS, 'ADDRESS_INVALID'],
    repeatable: true,
  }),
  sendCall: route({
    id: 'K18',
    methods: ['POST'],
    paths: ['/blockchain-contract/blockchain/{b}/wallet-call/send'],
    summary: 'Give nodes a call that a wallet signed',
    access: ACCESS,
    rate: 'egress',
    params,
    body: SignedDraft,
    response: SentDraft,
    errors: [...ERRORS, 'TRANSACTION_UNREADABLE', 'TRANSACTION_REFUSED', 'TRANSACTION_EXPIRED'],
    repeatable: true,
  }),
}
