import * as z from 'zod/mini'

import { id } from '../kit/codecs.ts'
import { page } from '../kit/paging.ts'
import { route } from '../kit/route.ts'
import { BalanceFilters, SweepFilters, SweepQuestion, SweepRetry, SweepStart, TransactionReport } from './inputs.ts'
import { BalanceRow, ChangedSweep, StartedSweeps, Sweep, SweepDetail, SweepMetrics, SweepPlan } from './schemas.ts'

const READ = { permission: 'sweep:read' } as const
const WRITE = { permission: 'sweep:write', stepUp: 'S' } as const

/** Absent where the path names no project. */
const project = z.object({ p: z.optional(z.string()) })
const sweep = z.object({ id })
const blockchain = z.object({ b: z.string() })

/** What deposit addresses hold, and its way to the cold wallet (api.md S). */
export const sweepsRoutes = {
  listAddressBalances: route({
    id: 'S1',
    methods: ['GET'],
    paths: ['/addresses/balance', '/project/{p}/addresses/balance'],
    summary: 'What deposit addresses hold by wallet and asset, what can be done with it, and why no more.',
    access: READ,
    rate: 'dashboard',
    params: project,
    query: BalanceFilters,
    response: z.array(BalanceRow),
    errors: [],
  }),
  listSweeps: route({
    id: 'S2',
    methods: ['GET'],
    paths: ['/sweeps'],
    summary: 'Sweeps, newest first.',
    access: READ,
    rate: 'dashboard',
    query: SweepFilters,
    response: z.array(Sweep),
    errors: ['FILTER_INVALID'],
  }),
  listProjectSweeps: route({
    id: 'S2p',
    methods: ['GET'],
    paths: ['/project/{p}/sweeps'],
    summary: 'Sweeps that move money of a project, newest first.',
    access: READ,
    rate: 'dashboard',
    params: z.object({ p: z.string() }),
    query: SweepFilters,
    response: page(Sweep),
    errors: ['FILTER_INVALID'],
  }),
  getSweepMetrics: route({
    id: 'S3',
    methods: ['GET'],
    paths: ['/sweeps/metrics', '/project/{p}/sweeps/metrics'],
    summary: 'How much waits to be swept, is on its way and arrived.',
    access: READ,
    rate: 'dashboard',
    params: project,
    response: SweepMetrics,
    errors: [],
  }),
  getSweep: route({
    id: 'S4',
    methods: ['GET'],
    paths: ['/sweeps/{id}'],
    summary: 'One sweep with its addresses and transactions.',
    access: READ,
    rate: 'dashboard',
    params: sweep,
    response: SweepDetail,
    errors: ['SWEEP_NOT_FOUND'],
  }),
  planSweep: route({
    id: 'S5',
    methods: ['POST'],
    paths: ['/sweeps/plan'],
    summary: 'What a sweep of an asset would move now, what it costs, and what stays where it is.',
    access: READ,
    rate: 'egress',
    body: SweepQuestion,
    response: SweepPlan,
    errors: ['ASSET_NOT_FOUND', 'WALLET_NOT_FOUND', 'COLD_WALLET_MISSING', 'FAMILY_UNSUPPORTED'],
    repeatable: true,
  }),
  startSweep: route({
    id: 'S6',
    methods: ['POST'],
    paths: ['/sweeps'],
    summary: 'Carries a plan out: contract wallets alone, to the end that their contract knows.',
    access: WRITE,
    rate: 'dashboard',
    body: SweepStart,
    response: StartedSweeps,
    status: 201,
    errors: ['SWEEP_PLAN_EXPIRED', 'ADDRESS_LOCKED', 'HOT_WALLET_MISSING', 'INSUFFICIENT_GAS', 'COLD_WALLET_MISSING'],
  }),
  retrySweep: route({
    id: 'S7',
    methods: ['POST'],
    paths: ['/sweeps/{id}/retry'],
    summary: 'Sends a stuck sweep again in its transaction slot, with a higher fee.',
    access: WRITE,
    rate: 'dashboard',
    params: sweep,
    body: SweepRetry,
    response: Sweep,
    errors: ['SWEEP_NOT_FOUND', 'SWEEP_NOT_FAILED'],
  }),
  recordSweepTransaction: route({
    id: 'S8',
    methods: ['POST'],
    paths: ['/sweep/blockchain/{b}/tx'],
    summary: 'Records the transaction that the caller’s wallet sent for a sweep. It is a hint where to look.',
    access: { permission: 'sweep:write' },
    rate: 'dashboard',
    params: blockchain,
    body: TransactionReport,
    response: ChangedSweep,
    status: 201,
    errors: [
      'SWEEP_NOT_FOUND',
      'SWEEP_TX_MISMATCH',
      'SWEEP_NETWORK_UNSUPPORTED',
      'TRANSACTION_INVALID',
      'TRANSACTION_USED',
      'SWEEP_NOT_INITIATED',
    ],
  }),
  listSweepTransactions: route({
    id: 'S8r',
    methods: ['GET'],
    paths: ['/sweep/blockchain/{b}/tx'],
    summary: 'Sweeps of a blockchain that have a transaction, newest first.',
    access: READ,
    rate: 'dashboard',
    params: blockchain,
    query: SweepFilters,
    response: z.array(Sweep),
    errors: ['SWEEP_NETWORK_UNSUPPORTED', 'FILTER_INVALID'],
  }),
}
