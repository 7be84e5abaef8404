import * as z from 'zod/mini'

import { route } from '../kit/route.ts'
import { ChangePayoutConfig, DryRun, DryRunInput, PayoutConfigAnswer } from './schemas.ts'

const params = z.object({ p: z.string() })

export const payoutPolicyRoutes = {
  getPayoutConfig: route({
    id: 'D12',
    methods: ['GET'],
    paths: ['/project/{p}/payout-config'],
    summary: 'When money may leave a project, and how many people must agree',
    access: { permission: 'payout:read' },
    rate: 'dashboard',
    params,
    response: PayoutConfigAnswer,
    errors: [],
  }),
  changePayoutConfig: route({
    id: 'D12',
    methods: ['PUT', 'PATCH'],
    paths: ['/project/{p}/payout-config'],
    summary: 'Change when money may leave a project: absent keeps; `paused: true` freezes all sending at once',
    access: { permission: 'payout_policy:write', stepUp: 'M' },
    rate: 'dashboard',
    params,
    body: ChangePayoutConfig,
    response: PayoutConfigAnswer,
    errors: ['STEP_UP_MISMATCH', 'EDIT_CONFLICT', 'POLICY_UNREACHABLE', 'ADDRESS_INVALID'],
  }),
  dryRunPayoutConfig: route({
    id: 'D13',
    methods: ['POST'],
    paths: ['/project/{p}/payout-config/dry-run'],
    summary: 'What a policy would have decided of the payouts of the last days; writes nothing',
    access: { permission: 'payout:read' },
    rate: 'heavy',
    params,
    body: DryRunInput,
    response: DryRun,
    errors: ['ADDRESS_INVALID'],
    repeatable: true,
  }),
} as const
