import * as z from 'zod/mini'

import { id, int, ts } from '../kit/codecs.ts'
import { clearableText, text } from '../kit/fields.ts'
import { route } from '../kit/route.ts'
import { Wallet } from './schemas.ts'

/** What the owner's wallet sent; the server reads everything else from the chain. */
export const NewContractWallet = z.object({
  transactionHash: text('Transaction hash', { max: 100 }),
  name: clearableText('Name', { max: 100 }),
  walletID: z.optional(z.int({ error: 'Wallet must be a number' })),
})
export type NewContractWallet = z.output<typeof NewContractWallet>

export const CollectorChoice = z.object({
  address: text('Address', { max: 100 }),
  blockchainCode: z.optional(text('Blockchain', { max: 20 })),
  transactionHash: z.optional(text('Transaction hash', { max: 100 })),
})
export type CollectorChoice = z.output<typeof CollectorChoice>

/**
 * A collector of one sweep contract: what the chain says, what the operators confirmed, or what was proposed on chain.
 * `allowed`: it is a cold wallet to which money may go now.
 */
export const Collector = z.object({
  blockchainCode: z.string(),
  contractAddressID: id,
  address: z.string(),
  onChain: z.boolean(),
  recorded: z.boolean(),
  allowed: z.boolean(),
  coldWalletID: z.nullable(id),
  /** Of a proposal: from when it can be accepted on chain, and who made it. */
  readyAt: z.nullable(ts),
  proposedBy: z.nullable(z.string()),
})
export type Collector = z.output<typeof Collector>

const Collectors = z.object({ walletID: int, family: z.string(), collectors: z.array(Collector) })
export type Collectors = z.output<typeof Collectors>

const collectorPaths = ['/wallets/{id}/blockchain_family/{f}/fund_collector_address'] as const
const collectorPlace = z.object({ id, f: z.string() })

/** Deposit wallets whose addresses a contract of the merchant commands (api.md W7, W10). */
export const contractWalletsRoutes = {
  addContractWallet: route({
    id: 'W10',
    methods: ['POST'],
    paths: [
      '/wallets/deposit/scw/blockchains_contract/{id}',
      '/project/{p}/wallets/deposit/scw/blockchains_contract/{id}',
    ],
    summary: 'Add a deposit wallet from the transaction that created its sweep contract, or a blockchain to one',
    access: { permission: 'wallet:write', stepUp: 'S' },
    rate: 'egress',
    params: z.object({ id, p: z.optional(z.string()) }),
    body: NewContractWallet,
    response: Wallet,
    status: 201,
    errors: [
      'CONTRACT_NOT_FOUND',
      'WALLET_NOT_FOUND',
      'TRANSACTION_INVALID',
      'TRANSACTION_NOT_FOUND',
      'TRANSACTION_UNCONFIRMED',
      'TRANSACTION_USED',
      'CONTRACT_MISMATCH',
      'COLLECTOR_IS_MASTER',
      'COLLECTOR_NOT_COLD_WALLET',
      'ADDRESS_INVALID',
      'ADDRESS_IS_OURS',
      'NODE_UNREACHABLE',
    ],
  }),
  listCollectors: route({
    id: 'W7',
    methods: ['GET'],
    paths: collectorPaths,
    summary: 'Read from the chain where the sweep contracts of a wallet send money',
    access: { permission: 'wallet:read' },
    rate: 'egress',
    params: collectorPlace,
    response: Collectors,
    errors: ['WALLET_NOT_FOUND'],
  }),
  recordCollector: route({
    id: 'W7',
    methods: ['PUT', 'POST'],
    paths: collectorPaths,
    summary: 'Confirm the collector that a sweep contract has on chain; only its owner can change it, there',
    access: { permission: 'wallet:write', stepUp: 'M' },
    rate: 'egress',
    params: collectorPlace,
    body: CollectorChoice,
    response: Collectors,
    errors: [
      'STEP_UP_MISMATCH',
      'WALLET_NOT_FOUND',
      'ADDRESS_INVALID',
      'COLLECTOR_NOT_ON_CHAIN',
      'COLLECTOR_NOT_COLD_WALLET',
      'COLLECTOR_IS_MASTER',
      'NODE_UNREACHABLE',
    ],
  }),
}
