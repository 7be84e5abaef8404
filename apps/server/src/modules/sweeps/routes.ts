import { fail } from '@kassa/contract/kit/api-error.ts'
import type { approvedSweepsRoutes } from '@kassa/contract/sweeps/approval-routes.ts'
import type { TransactionReport } from '@kassa/contract/sweeps/inputs.ts'
import type { sweepsRoutes } from '@kassa/contract/sweeps/routes.ts'

import { type Handlers, prepared, reply } from '../../http/handlers.ts'
import { listBalances, listSweeps, sweepById, sweepDetail, sweepMetrics, sweepsByIds } from './lists/service.ts'
import { planQuestion, planView } from './lists/plan-view.ts'
import {
  assetByHand,
  blockchainByHand,
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
    const { data, total, limit, nextCursor } = await listSweeps(ctx, scope.projectIds, query)
    const link = `</api/v1/sweeps?cursor=${nextCursor}&limit=${limit}>; rel="next"`
    return reply(data, { headers: { 'x-total-count': String(total), ...(nextCursor !== null && { link }) } })
  },
  listProjectSweeps: (ctx, { scope, query }) => listSweeps(ctx, scope.projectIds, query),
  getSweepMetrics: (ctx, { scope }) => sweepMetrics(ctx, scope.projectIds),
  getSweep: (ctx, { scope, params }) => sweepDetail(ctx, scope.projectIds, params.id),
  // It changes nothing that anybody sees, so it has no transaction around it.
  planSweep: async (ctx, { scope, body }) => {
    const planned = await planQuestion(ctx, scope.projectIds, body)
    return planView(ctx, planned, await storePlan(ctx, planned.asset, planned.plan))
  },
  startSweep: async (ctx, { body }) => {
    const sweeps = await startPlan(ctx, body.planID)
    return {
      sweeps: await sweepsByIds(
        ctx,
        sweeps.map(({ id }) => id),
      ),
    }
  },
  retrySweep: async (ctx, { params, body }) =>
    sweepById(ctx, (await retrySweep(ctx, params.id, body.maxFee ?? null)).id),
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
