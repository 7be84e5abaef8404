import * as z from 'zod/mini'

import { route } from '../kit/route.ts'
import { VaultActivity, VaultActivityQuery, VaultFunction } from './activities.ts'

export const vaultActivityRoutes = {
  listVaultActivities: route({
    id: 'V9',
    methods: ['GET'],
    paths: ['/secrets-vault-activities'],
    summary: 'What was done to vaults, newest first, or with view=functions what the key of a wallet may be for',
    access: { permission: 'vault:read' },
    rate: 'dashboard',
    query: VaultActivityQuery,
    response: z.union([z.array(VaultActivity), z.array(VaultFunction)]),
    errors: [],
  }),
} as const
