import pg from 'pg'

import { type Network, SettingError } from '../config/config.ts'

/** Remembers the network at first start. @throws SettingError when the database belongs to another network */
export async function claimNetwork(connectionString: string, network: Network): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await client.query('INSERT INTO install (network) VALUES ($1) ON CONFLICT DO NOTHING', [network])
    const { rows } = await client.query<{ network: Network }>('SELECT network FROM install')
    const known = rows[0]?.network
    if (known !== network) {
      throw new SettingError(
        `This database belongs to ${known}, and KASSA_NETWORK is ${network}. Use another database or KASSA_HOME.`,
      )
    }
  } finally {
    await client.end()
  }
}
