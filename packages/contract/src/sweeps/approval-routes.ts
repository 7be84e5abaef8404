import * as z from 'zod/mini'

import { route } from '../kit/route.ts'
import {
  ApprovalBatch,
  ApprovalOverview,
  ApprovalPage,
  InitiatedSweep,
  SignatureResult,
  SigningJob,
} from './approval-schemas.ts'
import {
  ApprovalFilters,
  ApprovalRequest,
  BatchQuestion,
  SignaturePosting,
  SweepCancellation,
  SweepInitiation,
} from './inputs.ts'
import { ChangedSweep } from './schemas.ts'

const READ = { permission: 'sweep:read' } as const
const WRITE = { permission: 'sweep:write', stepUp: 'S' } as const

/** ETH or TRX, and a currency of it. */
const asset = z.object({ b: z.string(), c: z.string() })

const APPROVALS = '/addresses/blockchain/{b}/currency/{c}/contract/sweep_approval'
const SIGNATURES = '/address-contract-signature/blockchain/{b}/currency/{c}/contract/sweep_approval/approval-signature'

const ASSET_ERRORS = ['ASSET_NOT_FOUND', 'SWEEP_NETWORK_UNSUPPORTED'] as const

/** Permissions of addresses that hold a key of their own (api.md K10–K13, K16). */
export const sweepApprovalsRoutes = {
  getApprovalOverview: route({
    id: 'K10',
    methods: ['GET'],
    paths: [APPROVALS],
    summary: 'How many addresses hold the asset, by how far their approval is, and the gas it takes.',
    access: READ,
    rate: 'dashboard',
    params: asset,
    response: ApprovalOverview,
    errors: ASSET_ERRORS,
  }),
  listPendingApprovals: route({
    id: 'K11',
    methods: ['GET'],
    paths: [`${APPROVALS}/pending-approval`],
    summary:
      'Addresses that hold the asset and have not allowed it to be moved, or are in the state asked for, the richest first.',
    access: READ,
    rate: 'dashboard',
    params: asset,
    query: ApprovalFilters,
    response: ApprovalPage,
    errors: ASSET_ERRORS,
  }),
  requestApprovals: route({
    id: 'K12',
    methods: ['POST', 'PUT'],
    paths: [`${APPROVALS}/pending-approval`],
    summary: 'Locks a batch of addresses, says what their keys must sign, and sends them the gas for it.',
    access: WRITE,
    rate: 'egress',
    params: asset,
    body: ApprovalRequest,
    response: ApprovalBatch,
    status: 201,
    errors: [
      ...ASSET_ERRORS,
      'ADDRESS_LOCKED',
      'HOT_WALLET_MISSING',
      'INSUFFICIENT_GAS',
      'GAS_TOO_HIGH',
      'CONTRACT_ADDRESS_NOT_FOUND',
      'COLD_WALLET_MISSING',
      'SWEEP_BELOW_MINIMUM',
    ],
  }),
  getSigningJob: route({
    id: 'K13',
    methods: ['GET'],
    paths: [`${APPROVALS}/account-addresses`],
    summary: 'What the keys of a batch must sign, as a file for the offline signer.',
    access: READ,
    rate: 'dashboard',
    params: asset,
    query: BatchQuestion,
    response: SigningJob,
    errors: [...ASSET_ERRORS, 'SWEEP_BATCH_NOT_FOUND'],
  }),
  listSignatures: route({
    id: 'K16r',
    methods: ['GET'],
    paths: [SIGNATURES],
    summary: 'How far the approvals of a batch are.',
    access: READ,
    rate: 'dashboard',
    params: asset,
    query: z.object({ batchID: z.string() }),
    response: SignatureResult,
    errors: [...ASSET_ERRORS, 'SWEEP_BATCH_NOT_FOUND'],
  }),
  postSignatures: route({
    id: 'K16',
    methods: ['POST', 'PUT'],
    paths: [SIGNATURES],
    summary: 'Takes what the keys of a batch signed; what does anything else is refused, address by address.',
    access: WRITE,
    rate: 'egress',
    params: asset,
    body: SignaturePosting,
    response: SignatureResult,
    errors: [...ASSET_ERRORS, 'SWEEP_BATCH_NOT_FOUND', 'SIGNATURE_INVALID'],
    largeBody: true,
  }),
}

/** Sweeps of approved addresses (api.md K14, K15). */
export const approvedSweepsRoutes = {
  initiateSweep: route({
    id: 'K14',
    methods: ['POST', 'PUT'],
    paths: [`${APPROVALS}/sweep-initiated`],
    summary: 'Starts a sweep of approved addresses: the hot wallet sends it, or the caller’s wallet does.',
    access: WRITE,
    rate: 'egress',
    params: asset,
    body: SweepInitiation,
    response: InitiatedSweep,
    status: 201,
    errors: [
      ...ASSET_ERRORS,
      'ADDRESS_LOCKED',
      'ADDRESS_NOT_APPROVED',
      'CONTRACT_ADDRESS_NOT_FOUND',
      'SWEEP_BELOW_MINIMUM',
      'GAS_TOO_HIGH',
      'INSUFFICIENT_GAS',
      'HOT_WALLET_MISSING',
      'COLD_WALLET_MISSING',
    ],
  }),
  cancelSweep: route({
    id: 'K15',
    methods: ['POST', 'PUT'],
    paths: [`${APPROVALS}/sweep-cancelled`],
    summary: 'Gives up a sweep that has no transaction; its addresses are approved again.',
    access: { permission: 'sweep:write' },
    rate: 'dashboard',
    params: asset,
    body: SweepCancellation,
    response: ChangedSweep,
    errors: [...ASSET_ERRORS, 'SWEEP_NOT_FOUND', 'SWEEP_TX_RECORDED'],
  }),
}
