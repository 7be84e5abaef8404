import type { VaultActivity } from '@kassa/contract/vaults/activities.ts'
import type { Secret, Vault } from '@kassa/contract/vaults/schemas.ts'
import { t } from '@lingui/core/macro'

/** Returns what opens a vault. */
export function opensWith({ provider }: Pick<Vault, 'provider'>): string {
  switch (provider) {
    case 'file':
      return t`The server, with the master key in a file`
    case 'env':
      return t`The server, with the master key of its environment`
    case 'passphrase':
      return t`A passphrase, after every start`
  }
}

/** Returns the kind of a secret. */
export function secretKind({ kind }: Pick<Secret, 'kind'>): string {
  switch (kind) {
    case 'hot-key':
      return t`Key of a hot wallet`
    case 'smtp':
      return t`Password of the mail server`
    case 'node':
      return t`Credentials of a node`
    case 'webhook':
      return t`Secret of an endpoint`
    case 'webhook-key':
      return t`Key of webhook signatures`
    case 'totp':
      return t`Authenticator app`
    case 'api-key-state':
      return t`State of an API key`
    case 'address-proof':
      return t`Key of address proofs`
    case 'setting':
      return t`Secret setting`
  }
}

/** Returns which part of Kassa opens a secret. */
export function usedBy({ kind }: Pick<Secret, 'kind'>): string {
  switch (kind) {
    case 'hot-key':
      return t`Sending`
    case 'smtp':
      return t`E-mail`
    case 'node':
      return t`Watching blockchains`
    case 'webhook':
    case 'webhook-key':
    case 'api-key-state':
      return t`Webhooks`
    case 'totp':
      return t`Sign-in`
    case 'address-proof':
      return t`Checkout`
    case 'setting':
      return t`Settings`
  }
}

/** Returns what was done to a vault. */
export function activityTitle({ activityType, walletID }: Pick<VaultActivity, 'activityType' | 'walletID'>): string {
  if (walletID !== null) return t`Add the key of a hot wallet`
  switch (activityType) {
    case 'add':
      return t`Add a vault`
    case 'change':
      return t`Change a vault`
    case 'unlock':
      return t`Unlock a vault`
    case 'lock':
      return t`Lock a vault`
    case 'rotate':
      return t`Rotate the keys of a vault`
    case 'delete':
      return t`Delete a vault`
  }
}
