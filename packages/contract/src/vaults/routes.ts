import * as z from 'zod/mini'

import { id, Message } from '../kit/codecs.ts'
import { route } from '../kit/route.ts'
import { NewVault, UnlockVault, Vault, VaultChange, VaultDetail } from './schemas.ts'

const READ = { permission: 'vault:read' } as const
const WRITE = { permission: 'vault:write', stepUp: 'S' } as const
const params = z.object({ id })

/** Vaults and the names of their secrets (api.md V). */
export const vaultsRoutes = {
  listVaults: route({
    id: 'V1',
    methods: ['GET'],
    paths: ['/secrets-vaults'],
    summary: 'List the vaults',
    access: READ,
    rate: 'dashboard',
    response: z.array(Vault),
    errors: [],
  }),
  getDefaultVault: route({
    id: 'V2',
    methods: ['GET'],
    paths: ['/secrets-vault'],
    summary: 'Read the default vault, with its secrets by name',
    access: READ,
    rate: 'dashboard',
    response: VaultDetail,
    errors: [],
  }),
  createVault: route({
    id: 'V3',
    methods: ['POST'],
    paths: ['/secrets-vault'],
    summary: 'Make a vault',
    access: WRITE,
    rate: 'dashboard',
    body: NewVault,
    response: Vault,
    status: 201,
    errors: ['VAULT_EXISTS', 'VAULT_PROVIDER_UNAVAILABLE'],
    // No hash of a passphrase is stored that is faster to guess than argon2id.
    keyless: true,
  }),
  getVault: route({
    id: 'V4',
    methods: ['GET'],
    paths: ['/secrets-vault/id/{id}'],
    summary: 'Read a vault, with its secrets by name',
    access: READ,
    rate: 'dashboard',
    params,
    response: VaultDetail,
    errors: ['VAULT_NOT_FOUND'],
  }),
  changeVault: route({
    id: 'V5',
    methods: ['PUT', 'PATCH'],
    paths: ['/secrets-vault/id/{id}'],
    summary: 'Rename a vault, make it the default, or change its passphrase',
    access: WRITE,
    rate: 'dashboard',
    params,
    body: VaultChange,
    response: Vault,
    errors: [
      'VAULT_NOT_FOUND',
      'VAULT_EXISTS',
      'VAULT_HAS_NO_PASSPHRASE',
      'VAULT_PASSPHRASE_WRONG',
      'VAULT_PASSPHRASE_THROTTLED',
    ],
    // No hash of a passphrase is stored that is faster to guess than argon2id.
    keyless: true,
  }),
  unlockVault: route({
    id: 'V6',
    methods: ['POST'],
    paths: ['/secrets-vault/id/{id}/unlock'],
    summary: 'Unlock a vault in every process that runs',
    access: WRITE,
    rate: 'dashboard',
    params,
    body: UnlockVault,
    response: Vault,
    errors: ['VAULT_NOT_FOUND', 'VAULT_HAS_NO_PASSPHRASE', 'VAULT_PASSPHRASE_WRONG', 'VAULT_PASSPHRASE_THROTTLED'],
    // No hash of a passphrase is stored that is faster to guess than argon2id.
    keyless: true,
  }),
  lockVault: route({
    id: 'V6l',
    methods: ['POST'],
    paths: ['/secrets-vault/id/{id}/lock'],
    summary: 'Lock a vault in every process, at once',
    access: WRITE,
    rate: 'dashboard',
    params,
    response: Vault,
    errors: ['VAULT_NOT_FOUND', 'VAULT_HAS_NO_PASSPHRASE'],
  }),
  rotateVault: route({
    id: 'V7',
    methods: ['POST'],
    paths: ['/secrets-vault/id/{id}/rotate'],
    summary: 'Make a new key for a vault and encrypt each of its secrets anew; resumes a rotation that was interrupted',
    access: WRITE,
    rate: 'dashboard',
    params,
    response: Vault,
    errors: ['VAULT_NOT_FOUND', 'VAULT_LOCKED'],
  }),
  deleteVault: route({
    id: 'V8',
    methods: ['DELETE'],
    paths: ['/secrets-vault/id/{id}'],
    summary: 'Delete a vault that holds nothing and is not the default',
    access: WRITE,
    rate: 'dashboard',
    params,
    response: Message,
    errors: ['VAULT_NOT_FOUND', 'VAULT_NOT_EMPTY', 'VAULT_IS_DEFAULT'],
  }),
} as const
