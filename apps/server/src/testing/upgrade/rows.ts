import pg from 'pg'

/** The rows of a table as text: columns by name, rows in the order of their text. */
export type Rows = readonly Readonly<Record<string, unknown>>[]

/** Reads every row of every table of Kassa's own schema. */
export async function readRows(connectionString: string): Promise<Map<string, Rows>> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1`,
    )
    const all = new Map<string, Rows>()
    for (const { name } of tables) all.set(name, await rowsOf(client, name))
    return all
  } finally {
    await client.end()
  }
}

async function rowsOf(client: pg.Client, table: string): Promise<Rows> {
  // Numbers as text: a JavaScript number would round those with many digits.
  const { rows } = await client.query<{ row: Record<string, unknown> }>(
    `SELECT (SELECT jsonb_object_agg(key, CASE jsonb_typeof(value) WHEN 'number' THEN to_jsonb(value::text) ELSE value END)
       FROM jsonb_each(to_jsonb(t))) AS row
     FROM "${table}" AS t ORDER BY to_jsonb(t)::text`,
  )
  return rows.map(({ row }) => row)
}
