/** Texts of alarms about the wallets that customers pay to, and where that money goes: part of the catalogue. */
import * as z from 'zod/mini'

import { int } from '../kit/codecs.ts'
import { reason } from '../kit/reason.ts'

const text = z.string()

export const WALLET_ALARMS = {
  address_forged: reason({
    params: z.union([
      z.object({ walletID: int, what: z.enum(['address', 'xpub', 'vault']) }),
      /** A sweep contract, with the address that the changed row has now. */
      z.object({ blockchainCode: text, contract: text, what: z.literal('contract') }),
    ]),
    text: (params) => {
      if (params.what === 'contract') {
        return `The sweep contract on ${params.blockchainCode} that the database has at ${params.contract} is not the one that was registered: somebody changed it in the database, without Kassa. Nothing is approved or swept through it any more. Restore a backup, and change the passwords of the database.`
      }
      const { walletID, what } = params
      const found = {
        address: 'A deposit address in the database does not belong to its wallet',
        xpub: 'The public key (xpub) of a deposit wallet is not the one that was added to Kassa',
        vault: 'The sweep contract (vault) of a deposit wallet is not the one that was added to Kassa',
      }[what]
      return `${found} (wallet ${walletID}): somebody changed it in the database, without Kassa. No such address is shown any more. Compare the first addresses of the wallet with your own, restore a backup, and change the passwords of the database.`
    },
  }),

  delegations_low: reason({
    params: z.object({ walletID: int, blockchainCode: text, left: int, signed: int }),
    text: ({ walletID, blockchainCode, left, signed }) =>
      `Of ${signed} addresses of wallet ${walletID} for which delegations on ${blockchainCode} were signed ahead, ${left} are left. Customers who come after them pay to addresses that cannot be swept until the signer has signed for more.`,
    ends: 'It ends when more are signed.',
  }),

  permission_unproven: reason({
    params: z.object({
      /** `one_operator`: no other operator's node is switched on. `disagreement`: one is, but they do not say the same. */
      case: z.enum(['one_operator', 'disagreement']),
      ...{ blockchainCode: text, count: int, minutes: int },
    }),
    text: ({ case: why, blockchainCode: code, count, minutes }) => {
      const facts = `${count} of the transactions that deposit addresses signed on ${code} expired more than ${minutes} minutes ago, and it is not proven that no block holds them. Such addresses are neither swept nor asked again until it is.`
      return why === 'one_operator'
        ? `${facts} The proof needs nodes of two operators. Add the node of another operator under Blockchains.`
        : `${facts} The nodes of two operators have not answered the same about them. Check under Blockchains that both can be reached and have the newest blocks, or replace one of them.`
    },
    ends: 'It ends when nodes of two operators prove what became of the transactions.',
  }),

  addresses_low: reason({
    params: z.object({ walletID: int, left: int }),
    text: ({ walletID, left }) =>
      `The address list of deposit wallet ${walletID} has ${left} addresses left. Make more with the signer and add them to the wallet. Once it is empty, its networks are not offered to new customers.`,
    ends: 'It ends when addresses are added to the list.',
  }),

  collector_change_pending: reason({
    params: z.union([
      /** `by` proposed on chain that another address becomes collector or owner, at `readyAt` at the earliest. */
      z.object({
        case: z.enum(['collector', 'owner']),
        ...{ blockchainCode: text, contract: text, current: text, proposed: text, by: text },
        readyAt: text,
      }),
      /** The chain has `found`; the operators confirmed `expected`. */
      z.object({
        case: z.literal('collector_changed'),
        ...{ blockchainCode: text, contract: text, expected: text, found: text },
      }),
    ]),
    text: (params) => {
      const { blockchainCode: code, contract } = params
      if (params.case === 'collector_changed') {
        return `The sweep contract ${contract} on ${code} sends money to ${params.found}; you confirmed ${params.expected}. Nothing is swept until a person confirms the new address under Deposit wallets.`
      }
      const { proposed, by, readyAt, current } = params
      if (params.case === 'owner') {
        return `${by} proposed ${proposed} as the owner of the sweep contract ${contract} on ${code}, in place of ${current}; it can take over from ${readyAt} on. If none of you did this, refuse it before then, with the wallet of the owner or the collector: Deposit wallets › Change.`
      }
      return `${by} proposed ${proposed} as the address that the sweep contract ${contract} on ${code} sends money to, in place of ${current}; it can take over from ${readyAt} on. Sweeping to the present address goes on. If none of you did this, refuse it before then, with the wallet of the owner or the collector: Deposit wallets › Change.`
    },
    ends: 'It ends when the proposal is withdrawn, or a person confirms the new address.',
  }),
} as const
