import type { ConfigRow, DefaultConfiguration, KnownSetting, SiteAddress } from '@kassa/contract/settings/schemas.ts'

import type { Config } from '../../config/config.ts'
import type { StoredSetting } from './service.ts'

/** The specification's default brand colour (product.md 9). */
const DEFAULT_BRAND_COLOR = '#caff54'

/** A setting as the wire shows it; a secret only as being set. */
export function configRowView({ key, entry, row }: StoredSetting): ConfigRow {
  const isSecret = entry.form.kind === 'secret'
  return {
    id: row?.id ?? null,
    createdAt: row?.created_at ?? null,
    updatedAt: row?.updated_at ?? null,
    key,
    value: isSecret ? '' : (row?.value ?? entry.default ?? ''),
    overrideValue: entry.default === undefined ? null : (row?.value ?? null),
    description: entry.description,
    encrypt: isSecret,
    ...(isSecret && { valueSet: row !== undefined }),
  }
}

/** A setting in the list of all of them. */
export function knownSettingView(stored: StoredSetting): KnownSetting {
  return { ...configRowView(stored), default: stored.entry.default ?? null }
}

/** Both addresses of the server, and whether they were configured. */
export function siteAddressView({ site, backend }: { site: string | null; backend: string | null }): SiteAddress {
  return { siteUrl: site, backendUrl: backend, source: site === null ? 'none' : 'configured' }
}

export type InstallFacts = {
  readonly server: string | null
  readonly siteUrl: string | null
  readonly walletConnectId: string | null
  readonly hasMailServer: boolean
  readonly hasPasskeys: boolean
}

/** What every screen knows about the install. Batch sizes are the specification's; sweeps read them from here too. */
export function defaultConfigurationView({ network }: Config, facts: InstallFacts): DefaultConfiguration {
  return {
    server: facts.server ?? '',
    walletConnectID: facts.walletConnectId ?? '',
    tronHTTPProvider: '',
    tronAPIKey: '',
    sweepBatchSizeETH: 3,
    sweepApprovalBatchSizeETH: 50,
    sweepBatchSizeTRX: 3,
    sweepApprovalBatchSizeTRX: 50,
    siteURL: facts.siteUrl,
    blockchainNetwork: network,
    defaultBrandColor: DEFAULT_BRAND_COLOR,
    features: { sandbox: network === 'sandbox', smtp: facts.hasMailServer, passkeys: facts.hasPasskeys },
  }
}
