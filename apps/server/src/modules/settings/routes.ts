import type { settingsRoutes } from '@kassa/contract/settings/routes.ts'

import { type Handlers, reply } from '../../http/handlers.ts'
import {
  backendUrl,
  confirmSetupMode,
  hasMailServer,
  linkOrigins,
  listKnownSettings,
  passkeyHost,
  readSetting,
  resetSetting,
  saveSetting,
  saveSiteAddress,
  setting,
  siteUrl,
} from './service.ts'
import { configRowView, defaultConfigurationView, knownSettingView, siteAddressView } from './view.ts'

export const settingsHandlers: Handlers<typeof settingsRoutes> = {
  getDefaultConfiguration: async (ctx) =>
    defaultConfigurationView(ctx.config, {
      server: await backendUrl(ctx),
      siteUrl: await siteUrl(ctx),
      walletConnectId: await setting(ctx, 'wallet_connect_id'),
      hasMailServer: await hasMailServer(ctx),
      hasPasskeys: (await passkeyHost(ctx)) !== null,
    }),

  getSetting: async (ctx, { params }) => configRowView(await readSetting(ctx, params.key)),

  saveSetting: async (ctx, { body }) => {
    const { saved, isNew } = await saveSetting(ctx, body)
    return reply(configRowView(saved), { status: isNew ? 201 : 200 })
  },

  updateSetting: async (ctx, { params, body }) => {
    const { saved, isNew } = await saveSetting(ctx, { key: params.key, value: body.value })
    return reply(configRowView(saved), { status: isNew ? 201 : 200 })
  },

  resetSetting: async (ctx, { params }) => {
    const { default: value } = await resetSetting(ctx, params.key)
    return { message: value === undefined ? 'This setting has no value now.' : 'This setting has its default again.' }
  },

  listSettings: async (ctx) => (await listKnownSettings(ctx)).map(knownSettingView),

  getSiteAddress: async (ctx) => siteAddressView(await linkOrigins(ctx)),

  saveSiteAddress: async (ctx, { body }) => siteAddressView(await saveSiteAddress(ctx, body)),

  getSetupMode: async () => ({ setupMode: 'merchant' }),

  saveSetupMode: async (_ctx, { body }) => {
    confirmSetupMode(body.setupMode)
    return { setupMode: 'merchant' }
  },

  listFeeCollectors: async () => [],
}
