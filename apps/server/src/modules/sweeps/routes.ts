import { fail } from '@kassa/contract/kit/api-error.ts'
import type { approvedSweepsRoutes } from '@kassa/contract/sweeps/approval-routes.ts'
import type { TransactionReport } from '@kassa/contract/sweeps/inputs.ts'
import type { offlineSweepsRoutes } from '@kassa/contract/sweeps/offline-routes.ts'
import type { sweepsRoutes } from '@kassa/contract/sweeps/routes.ts'

import { type Handlers, prepared, reply } from '../../http/handlers.ts'
import { nextLink } from '../../paging/next-link.ts'
import { listBalances, listSweeps, sweepById, sweepDetail, sweepMetrics, sweepsByIds } from './lists/service.ts'
import { planQuestion, planView } from './lists/plan-view.ts'
import {
  batchDetail,
  checkSignature,
  listOffline,
  prepareRaise,
  raiseBatch,
  releaseBatch,
  takeSignature,
} from './offline/service.ts'
import {
  assetByHand,
  blockchainByHand,
  buildPlan,
  cancelByHand,
  initiatePrepared,
  lookUpReport,
  prepareSweep,
  recordReport,
  type Report,
  retrySweep,
  startPlan,
  storePlan,
} from './starting/service.ts'
import { initiatedView } from './lists/initiated-view.ts'

export const sweepsHandlers: Handlers<typeof sweepsRoutes> = {
  listAddressBalances: (ctx, { scope, query }) => listBalances(ctx, scope.projectIds, query),
  listSweeps: async (ctx, { scope, query }) => {
    const { data, total, nextCursor } = await listSweeps(ctx, scope.projectIds, query)
    const link = nextLink('/api/v1/sweeps', query, nextCursor)
    return reply(data, { headers: { 'x-total-count': String(total), ...link } })
  },
  listProjectSweeps: (ctx, { scope, query }) => listSweeps(ctx, scope.projectIds, query),
  getSweepMetrics: (ctx, { scope }) => sweepMetrics(ctx, scope.projectIds),
  getSweep: (ctx, { scope, params }) => sweepDetail(ctx, scope.projectIds, params.id),
  // It changes nothing visible, so the route opens no transaction.
  planSweep: async (ctx, { scope, body }) => {
    const planned = await planQuestion(ctx, scope.projectIds, body)
    return planView(ctx, planned, await storePlan(ctx, planned.asset, planned.plan))
  },
  startSweep: prepared({
    prepare: (ctx, { body }) => buildPlan(ctx, body.planID),
    perform: async (ctx, { body }, built) => {
      const sweeps = await startPlan(ctx, body.planID, built)
      return {
        sweeps: await sweepsByIds(
          ctx,
          sweeps.map(({ id }) => id),
        ),
      }
    },
  }),
  retrySweep: prepared({
    prepare: (ctx, { params, body }) => prepareRaise(ctx, params.id, body.maxFee ?? null),
    perform: async (ctx, { params, body }, raise) => {
      const row = raise
        ? await raiseBatch(ctx, params.id, raise)
        : await retrySweep(ctx, params.id, body.maxFee ?? null)
      return sweepById(ctx, row.id)
    },
  }),
  recordSweepTransaction: prepared({
    prepare: (ctx, { params, body }) => lookUpReport(ctx, reportOf(params.b, body)),
    perform: async (ctx, { params, body }, seen) => {
      const { id } = await recordReport(ctx, reportOf(params.b, body), seen)
      return { sweep: await sweepById(ctx, id) }
    },
  }),
  listSweepTransactions: async (ctx, { scope, params, query }) => {
    const blockchainCode = blockchainByHand(params.b)
    return (await listSweeps(ctx, scope.projectIds, query, { blockchainCode, withTransaction: true })).data
  },
}

export const offlineSweepsHandlers: Handlers<typeof offlineSweepsRoutes> = {
  listOfflineSweeps: (ctx, { scope, query }) => listOffline(ctx, scope.projectIds, query),
  getOfflineSweep: (ctx, { scope, params }) => batchDetail(ctx, scope.projectIds, BigInt(params.id)),
  signOfflineSweep: prepared({
    prepare: (ctx, { scope, params, body }) =>
      checkSignature(ctx, scope.projectIds, { id: BigInt(params.id), psbt: body.psbt }),
    perform: async (ctx, { scope, params }, checked) => {
      const { id } = await takeSignature(ctx, scope.projectIds, { id: BigInt(params.id), checked })
      return { sweep: await sweepById(ctx, id) }
    },
  }),
  releaseOfflineSweep: async (ctx, { scope, params }) => {
    const { id } = await releaseBatch(ctx, scope.projectIds, BigInt(params.id))
    return { sweep: await sweepById(ctx, id) }
  },
}

export const approvedSweepsHandlers: Handlers<typeof approvedSweepsRoutes> = {
  initiateSweep: prepared({
    prepare: async (ctx, { params, body }) => {
      const asset = await assetByHand(ctx, params)
      const contractAddressId = body.contractAddressID ?? null
      return { asset, ready: await prepareSweep(ctx, { asset, addressIds: body.addressIDs, contractAddressId }) }
    },
    perform: async (ctx, { body }, { asset, ready }) => {
      const row = await initiatePrepared(ctx, asset, ready, { execute: body.execute ?? false })
      return initiatedView(ctx, { asset, ready, sweep: await sweepById(ctx, row.id) })
    },
  }),
  cancelSweep: async (ctx, { params, body }) => {
    const asset = await assetByHand(ctx, params)
    const { id } = await cancelByHand(ctx, asset, {
      sweepId: body.sweepID ?? null,
      addressIds: body.addressIDs ?? null,
    })
    return { sweep: await sweepById(ctx, id) }
  },
}

function reportOf(blockchain: string, body: TransactionReport): Report {
  const txHash = body.txHash ?? body.transactionHash ?? fail('TRANSACTION_INVALID')
  return { blockchain, txHash, sweepId: body.sweepID ?? null, addressIds: body.addressIDs ?? null }
}
