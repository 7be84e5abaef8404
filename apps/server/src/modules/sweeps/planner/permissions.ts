import type { SweepCall, VaultItem } from '@kassa/chains/sweep-vaults.ts'
import type { SignedAuthorization } from '@kassa/keys/evm/authorization.ts'
import { accountNumber } from '@kassa/keys/vault-calls.ts'

import type { Context } from '../../../context.ts'
import {
  readyPermissions as listPermissions,
  type ReadyPermission as Permission,
} from '../../sweep-permissions/service.ts'
import type { SweepMethod } from '../record/service.ts'

type Asked = {
  readonly blockchainId: number
  readonly assetId: number
  readonly addressIds: readonly bigint[]
  readonly vault: string
}

/** How the key of an address permitted its money to be moved. */
export type ReadyPermission = Pick<Permission, 'permissionId' | 'addressId'> & {
  readonly method: Exclude<SweepMethod, 'sweep'>
  readonly permission: Permission
}

/** The permissions of addresses for a vault; addresses without one are absent. */
export async function readyPermissions(ctx: Context, asked: Asked): Promise<readonly ReadyPermission[]> {
  return (await listPermissions(ctx, asked)).map((permission) => {
    const { permissionId, addressId, kind } = permission
    return { permissionId, addressId, method: kind === 'authorization' ? 'delegated' : 'pull', permission }
  })
}

/** Signatures of addresses that the chain does not hold yet, by the id of their item; their sweep carries them along. */
export type Riders = ReadonlyMap<bigint, Pick<Permission, 'permit' | 'authorization'>>

/** Reads the signatures that a sweep of addresses must carry along. */
export function ridersOf(ready: readonly ReadyPermission[]): Riders {
  return new Map(ready.map(({ permission }) => [accountNumber(permission.address), permission]))
}

/** The permits that a call must carry, in the order of its items. */
export function permitsIn(
  riders: Riders,
  items: readonly VaultItem[],
): Extract<SweepCall, { permits: unknown }>['permits'] {
  return items.flatMap(({ id }) => riders.get(id)?.permit ?? [])
}

/** The delegations that a transaction must carry. */
export function authorizationsIn(riders: Riders, items: readonly VaultItem[]): SignedAuthorization[] {
  return items.flatMap(({ id }) => riders.get(id)?.authorization ?? [])
}
