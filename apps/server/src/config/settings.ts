/** The one table of settings: name, what it accepts, its default and what it is for. The documents print it. */
export type SettingEntry = { readonly accepts: string; readonly default: string; readonly purpose: string }

export const SETTINGS = {
  PORT: {
    accepts: 'a port number',
    default: '8080',
    purpose: 'Where dashboard, checkout, API and websocket are served.',
  },
  KASSA_HOME: { accepts: 'a folder', default: '.kassa in the checkout', purpose: 'The data folder.' },
  DATABASE_URL: {
    accepts: 'a PostgreSQL address (15 to 18)',
    default: 'the embedded PostgreSQL',
    purpose: 'An external database instead of the embedded one.',
  },
  DATABASE_DIRECT_URL: {
    accepts: 'a PostgreSQL address',
    default: 'DATABASE_URL',
    purpose: 'The same database past a pooler: for notifications, leader locks and migrations.',
  },
  KASSA_NETWORK: {
    accepts: 'sandbox, testnet or mainnet',
    default: 'sandbox',
    purpose: 'Which blockchains are served. The database remembers it.',
  },
  KASSA_ROLES: {
    accepts: 'a list of api, worker, watcher, sender, chains',
    default: 'api,worker,watcher,sender,chains',
    purpose:
      'What this process does; any number of each may share one database. `sender` signs and broadcasts payouts and sweeps with the keys of hot wallets. `chains` runs the local chains of the sandbox, in one process.',
  },
  KASSA_SANDBOX_CHAINS: {
    accepts: 'a list of blockchains such as POLYGON,TRX',
    default: 'none: operators switch them on in Blockchains',
    purpose: 'Local chains of the sandbox that are switched on at start, besides ETH and BASE, which always run.',
  },
  KASSA_MASTER_KEY: {
    accepts: '32 bytes as hex or base64',
    default: 'none',
    purpose: 'Wraps every secret in the database.',
  },
  KASSA_MASTER_KEY_FILE: {
    accepts: 'a file of mode 0400 with that key',
    default: 'master.key in the data folder, made on the sandbox only',
    purpose: 'The same from a file.',
  },
  KASSA_BACKUP_PASSPHRASE: {
    accepts: 'a text of at least 12 characters',
    default: 'asked for on the terminal',
    purpose:
      'What `npm run backup` encrypts with, and `npm run restore` opens with; the program itself does not read it.',
  },
  KASSA_SITE_URL: {
    accepts: 'an origin such as https://pay.example.com',
    default: 'http://localhost:{PORT} on the sandbox, else required',
    purpose: 'The address people reach this server at; links are built from it.',
  },
  KASSA_BIND: {
    accepts: 'an address',
    default: '127.0.0.1 on the sandbox, else 0.0.0.0',
    purpose: 'The network interface the port is opened on.',
  },
  KASSA_TRUSTED_PROXIES: {
    accepts: 'a list of addresses or networks such as 10.0.0.4,10.1.0.0/16',
    default: 'none',
    purpose:
      'Proxies whose x-forwarded-for says who calls: limits and IP lists count callers by it. A proxy on the same machine is named too: 127.0.0.1.',
  },
  KASSA_METRICS_TOKEN: {
    accepts: 'a secret text',
    default: 'none: metrics answer to this machine on the sandbox, else to nobody',
    purpose: 'Bearer token of /metrics.',
  },
  KASSA_DOCS_URL: {
    accepts: 'a web address',
    default: 'the reference page of this server',
    purpose: 'Where the menu item Documentation leads.',
  },
  KASSA_LOG_LEVEL: { accepts: 'debug, info, warn or error', default: 'info', purpose: 'How much is logged.' },
} as const satisfies Record<string, SettingEntry>

export type SettingName = keyof typeof SETTINGS
