import * as z from 'zod/mini'

import { id } from '../kit/codecs.ts'
import { route } from '../kit/route.ts'
import { OfflineBatchDetail, OfflineBatches, OfflineFilters, OfflineSignature } from './offline-schemas.ts'
import { ChangedSweep } from './schemas.ts'

const batch = z.object({ id })

/** Sweeps whose transactions a device with the keys of the wallet signs: BTC (api.md S9–S12). */
export const offlineSweepsRoutes = {
  listOfflineSweeps: route({
    id: 'S9',
    methods: ['GET'],
    paths: ['/sweep-transactions', '/project/{p}/sweep-transactions'],
    summary: 'Batches of coins that wait for an offline signature, are on their way, or arrived; newest first.',
    access: { permission: 'sweep:read', device: true },
    rate: 'dashboard',
    params: z.object({ p: z.optional(z.string()) }),
    query: OfflineFilters,
    response: OfflineBatches,
    errors: ['FILTER_INVALID'],
  }),
  getOfflineSweep: route({
    id: 'S10',
    methods: ['GET'],
    paths: ['/sweep-transactions/{id}'],
    summary: 'One batch with its PSBT, for any wallet that has the keys; whoever signs compares the destination.',
    access: { permission: 'sweep:read', device: true },
    rate: 'dashboard',
    params: batch,
    response: OfflineBatchDetail,
    errors: ['SWEEP_NOT_FOUND'],
  }),
  signOfflineSweep: route({
    id: 'S11',
    methods: ['POST'],
    paths: ['/sweep-transactions/{id}/signature'],
    summary: 'Takes a signed batch: only what was handed out, unchanged, is stored and then sent.',
    access: { permission: 'sweep:write', device: true },
    rate: 'dashboard',
    params: batch,
    body: OfflineSignature,
    response: ChangedSweep,
    errors: ['SWEEP_NOT_FOUND', 'SIGNATURE_INVALID', 'SWEEP_TX_MISMATCH', 'SWEEP_TX_RECORDED', 'SWEEP_PLAN_EXPIRED'],
    largeBody: true,
  }),
  releaseOfflineSweep: route({
    id: 'S12',
    methods: ['DELETE'],
    paths: ['/sweep-transactions/{id}'],
    summary: 'Gives a batch up that is not signed: its coins are free for another one.',
    access: { permission: 'sweep:write' },
    rate: 'dashboard',
    params: batch,
    response: ChangedSweep,
    errors: ['SWEEP_NOT_FOUND', 'SWEEP_TX_RECORDED'],
  }),
}
