import * as z from 'zod/mini'

import { route } from '../kit/route.ts'
import { AcceptedAssets, PaymentOptionChange, PaymentOptionsChange } from './inputs.ts'
import { ProjectAsset, PaymentOptionSwitch, PaymentOptionSwitches } from './schemas.ts'

const projectPath = z.object({ p: z.string() })

export const acceptedAssetsRoutes = {
  listProjectAssets: route({
    id: 'B15',
    methods: ['GET'],
    paths: ['/project/{p}/blockchain-currency'],
    summary: 'What a project accepts, or with `all` every currency, and whether it can be paid now.',
    access: { permission: 'project:read' },
    rate: 'dashboard',
    params: projectPath,
    query: z.object({ all: z.optional(z.boolean()) }),
    response: z.array(ProjectAsset),
    errors: [],
  }),

  setProjectAssets: route({
    id: 'B16',
    methods: ['POST', 'PUT'],
    paths: ['/project/{p}/blockchain-currency'],
    summary: 'Set the whole accepted set; open payments keep what they are pinned to.',
    access: { permission: 'project:update' },
    rate: 'dashboard',
    params: projectPath,
    body: AcceptedAssets,
    response: z.array(ProjectAsset),
    errors: ['ASSET_NOT_FOUND', 'ASSET_DISABLED'],
  }),

  listPaymentOptions: route({
    id: 'B17',
    methods: ['GET'],
    paths: ['/project/{p}/payment-options'],
    summary: 'What a project accepts, as existing clients read it.',
    access: { permission: 'project:read' },
    rate: 'dashboard',
    params: projectPath,
    response: PaymentOptionSwitches,
    errors: [],
  }),

  setPaymentOptions: route({
    id: 'B17',
    methods: ['PUT'],
    paths: ['/project/{p}/payment-options'],
    summary: 'Switch several of them at once.',
    access: { permission: 'project:update' },
    rate: 'dashboard',
    params: projectPath,
    body: PaymentOptionsChange,
    response: PaymentOptionSwitches,
    errors: ['ASSET_NOT_FOUND', 'ASSET_DISABLED'],
  }),

  setPaymentOption: route({
    id: 'B18',
    methods: ['PATCH'],
    paths: ['/project/{p}/payment-options/{optionKey}'],
    summary: 'Switch one of them.',
    access: { permission: 'project:update' },
    rate: 'dashboard',
    params: z.object({ p: z.string(), optionKey: z.string() }),
    body: PaymentOptionChange,
    response: PaymentOptionSwitch,
    errors: ['ASSET_NOT_FOUND', 'ASSET_DISABLED'],
  }),
}
