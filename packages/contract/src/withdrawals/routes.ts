import * as z from 'zod/mini'

import { route } from '../kit/route.ts'
import {
  Approval,
  MerchantPayout,
  MerchantPayoutFilters,
  PayoutFilters,
  PayoutNarrowing,
  PayoutRetry,
  EndReason,
  ListApproval,
} from './inputs.ts'
import { CREATE_ERRORS } from './request-routes.ts'
import { ApprovedList, PayoutBalance, PayoutMetrics, PayoutPage, Withdrawal, WithdrawalDetail } from './schemas.ts'

const project = z.object({ p: z.string() })
const payout = z.object({ id: z.string() })
const projectPayout = z.object({ p: z.string(), id: z.string() })

/** For the merchant's own server, by project API key. */
const merchantRoutes = {
  createMerchantPayout: route({
    id: 'D1',
    methods: ['POST'],
    paths: ['/withdrawal/merchant'],
    summary: 'Requests a payout to an address.',
    access: { scope: 'payout:create' },
    rate: 'payout-write',
    body: MerchantPayout,
    response: Withdrawal,
    status: 201,
    errors: [
      ...CREATE_ERRORS,
      'ADDRESS_INVALID',
      'ADDRESS_IS_OURS',
      'ADDRESS_BLOCKED',
      'CLIENT_REFERENCE_EXISTS',
      'PROJECT_CONTEXT_MISSING',
    ],
    dedupe: true,
  }),
  getMerchantPayout: route({
    id: 'D2',
    methods: ['GET'],
    paths: ['/withdrawal/{id}/merchant'],
    summary: 'One payout of the key’s project.',
    access: { scope: 'payout:read' },
    rate: 'merchant-read',
    params: payout,
    query: z.object(PayoutNarrowing),
    response: Withdrawal,
    errors: ['WITHDRAWAL_NOT_FOUND', 'PROJECT_CONTEXT_MISSING'],
  }),
  listMerchantPayouts: route({
    id: 'D3',
    methods: ['GET'],
    paths: ['/withdrawal/merchant', '/withdrawal'],
    summary: 'Payouts of the key’s project, newest first.',
    access: { scope: 'payout:read' },
    rate: 'merchant-read',
    query: MerchantPayoutFilters,
    response: z.array(Withdrawal),
    errors: ['FILTER_INVALID', 'PROJECT_CONTEXT_MISSING'],
  }),
}

/** For the dashboard, and for keys that read. */
const projectRoutes = {
  listPayouts: route({
    id: 'D4',
    methods: ['GET'],
    paths: ['/project/{p}/withdrawals', '/external-platform/{p}/withdrawal'],
    summary: 'Payouts of a project, newest first.',
    access: { permission: 'payout:read', scope: 'payout:read' },
    rate: 'dashboard',
    params: project,
    query: PayoutFilters,
    response: PayoutPage,
    errors: ['FILTER_INVALID'],
  }),
  getPayout: route({
    id: 'D5',
    methods: ['GET'],
    paths: ['/project/{p}/withdrawal/{id}'],
    summary: 'One payout: where it is, and why it waits.',
    access: { permission: 'payout:read', scope: 'payout:read' },
    rate: 'dashboard',
    params: projectPayout,
    response: WithdrawalDetail,
    errors: ['WITHDRAWAL_NOT_FOUND'],
  }),
  getPayoutMetrics: route({
    id: 'D6',
    methods: ['GET'],
    paths: ['/project/{p}/withdrawals/metrics'],
    summary: 'How many payouts wait, were sent and failed, and how much of the limits is used.',
    access: { permission: 'payout:read' },
    rate: 'dashboard',
    params: project,
    response: PayoutMetrics,
    errors: [],
  }),
  listPayoutBalances: route({
    id: 'D6b',
    methods: ['GET'],
    paths: ['/project/{p}/payout-balance'],
    summary: 'What the hot wallets hold for payouts.',
    access: { permission: 'payout:read' },
    rate: 'dashboard',
    params: project,
    response: z.array(PayoutBalance),
    errors: [],
  }),
}

/** Payouts of rewards are decided about with a permission of their own; the type of the payout says which one counts. */
const DECIDERS = ['payout:approve', 'referral_payout:approve'] as const

const APPROVAL_ERRORS = [
  'WITHDRAWAL_NOT_FOUND',
  'PAYOUT_NOT_PENDING',
  'PAYOUT_SELF_APPROVAL',
  'PAYOUT_ALREADY_APPROVED',
  'ADDRESS_INVALID',
  'ADDRESS_IS_OURS',
  'ADDRESS_BLOCKED',
  'ASSET_NOT_PAYABLE',
  'AMOUNT_OUT_OF_RANGE',
  'INSUFFICIENT_FUNDS',
  'RATE_UNAVAILABLE',
  'REFERRER_INACTIVE',
  'REWARDS_OWED_BACK',
  'STEP_UP_MISMATCH',
] as const

/** What people decide about a payout. */
const decisionRoutes = {
  approvePayout: route({
    id: 'D8',
    methods: ['POST'],
    paths: ['/withdrawal/{id}/approve'],
    summary: 'Approves a payout.',
    access: { permission: DECIDERS, stepUp: 'M' },
    rate: 'dashboard',
    params: payout,
    body: Approval,
    response: Withdrawal,
    errors: APPROVAL_ERRORS,
  }),
  approvePayouts: route({
    id: 'D20',
    methods: ['POST'],
    paths: ['/withdrawals/approve'],
    summary: 'Approves several payouts with one confirmation, all of them or none.',
    access: { permission: DECIDERS, stepUp: 'M' },
    rate: 'dashboard',
    body: ListApproval,
    response: ApprovedList,
    errors: APPROVAL_ERRORS,
  }),
  rejectPayout: route({
    id: 'D9',
    methods: ['POST'],
    paths: ['/withdrawal/{id}/reject'],
    summary: 'Rejects a payout that waits for approval.',
    access: { permission: DECIDERS },
    rate: 'dashboard',
    params: payout,
    body: EndReason,
    response: Withdrawal,
    errors: ['WITHDRAWAL_NOT_FOUND', 'PAYOUT_NOT_PENDING'],
  }),
  cancelPayout: route({
    id: 'D10',
    methods: ['POST'],
    paths: ['/withdrawal/{id}/cancel'],
    summary: 'Cancels a payout that is not signed yet.',
    access: { permission: 'payout:cancel' },
    rate: 'dashboard',
    params: payout,
    body: EndReason,
    response: Withdrawal,
    errors: ['WITHDRAWAL_NOT_FOUND', 'PAYOUT_NOT_CANCELLABLE'],
  }),
  retryPayout: route({
    id: 'D11',
    methods: ['POST'],
    paths: ['/withdrawal/{id}/retry'],
    summary: 'Sends a stuck payout again in its transaction slot, with a higher fee.',
    access: { permission: DECIDERS, stepUp: 'M' },
    rate: 'dashboard',
    params: payout,
    body: PayoutRetry,
    response: Withdrawal,
    errors: ['WITHDRAWAL_NOT_FOUND', 'PAYOUT_NOT_RETRYABLE', 'STEP_UP_MISMATCH'],
  }),
}

export const payoutsRoutes = { ...merchantRoutes, ...projectRoutes, ...decisionRoutes }
