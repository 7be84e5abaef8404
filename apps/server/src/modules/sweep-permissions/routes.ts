import type { sweepApprovalsRoutes } from '@kassa/contract/sweeps/approval-routes.ts'

import { type Handlers, prepared } from '../../http/handlers.ts'
import { overviewOf, pageOfCandidates } from './asking/list-approvals.ts'
import { prepareBatch, storeBatch } from './asking/request-approvals.ts'
import { jobOf } from './asking/signing-job.ts'
import { checkPosting, signaturesOf, storePosting } from './asking/take-signatures.ts'

export const sweepPermissionsHandlers: Handlers<typeof sweepApprovalsRoutes> = {
  getApprovalOverview: (ctx, { params, scope }) => overviewOf(ctx, params, scope.projectIds),
  listPendingApprovals: (ctx, { params, scope, query }) => pageOfCandidates(ctx, params, scope.projectIds, query),
  requestApprovals: prepared({
    prepare: (ctx, { params, scope, body }) => prepareBatch(ctx, params, scope.projectIds, body),
    perform: (ctx, _input, batch) => storeBatch(ctx, batch),
  }),
  getSigningJob: (ctx, { params, scope, query }) => jobOf(ctx, params, scope.projectIds, query),
  listSignatures: (ctx, { params, scope, query }) => signaturesOf(ctx, params, scope.projectIds, query.batchID),
  postSignatures: prepared({
    prepare: (ctx, { params, body }) => checkPosting(ctx, params, body),
    perform: (ctx, _input, posting) => storePosting(ctx, posting),
  }),
}
