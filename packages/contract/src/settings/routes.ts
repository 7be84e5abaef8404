import { route } from '../kit/route.ts'
import { ConfigRow, DefaultConfiguration, Setting, SettingKey, SettingValue } from './schemas.ts'

// Which permission a setting needs depends on its key (settings/keys.ts), so these rows name none themselves.
export const settingsRoutes = {
  getDefaultConfiguration: route({
    id: 'C1',
    methods: ['GET'],
    paths: ['/configuration/default'],
    summary: 'Read what every screen needs to know about the install',
    access: { operator: true },
    rate: 'dashboard',
    response: DefaultConfiguration,
    errors: [],
  }),
  getSetting: route({
    id: 'C2',
    methods: ['GET'],
    paths: ['/configuration/key/{key}'],
    summary: 'Read one setting',
    access: { operator: true },
    rate: 'dashboard',
    params: SettingKey,
    response: ConfigRow,
    errors: ['CONFIGURATION_KEY_UNKNOWN', 'CONFIGURATION_NOT_SET'],
  }),
  saveSetting: route({
    id: 'C3',
    methods: ['POST', 'PUT'],
    paths: ['/configuration'],
    summary: 'Set one setting',
    access: { operator: true, stepUp: 'S' },
    rate: 'dashboard',
    body: Setting,
    response: ConfigRow,
    errors: ['CONFIGURATION_KEY_UNKNOWN', 'CONFIGURATION_VALUE_INVALID'],
  }),
  updateSetting: route({
    id: 'C4',
    methods: ['PUT', 'POST', 'PATCH'],
    paths: ['/configuration/key/{key}'],
    summary: 'Set the setting of this key',
    access: { operator: true, stepUp: 'S' },
    rate: 'dashboard',
    params: SettingKey,
    body: SettingValue,
    response: ConfigRow,
    errors: ['CONFIGURATION_KEY_UNKNOWN', 'CONFIGURATION_VALUE_INVALID'],
  }),
} as const
