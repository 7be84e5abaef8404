/**
 * A limit for `npm run bench`: what storing a payment costs Fastify and pg without anything else. Started as a program, with
 * the database's address; prints where it listens.
 */
import { randomUUID } from 'node:crypto'

import fastify from 'fastify'
import pg from 'pg'

type Body = { readonly customerID: string; readonly amountInUSD: string }

const [, , connectionString] = process.argv
const pool = new pg.Pool({ connectionString, max: 20 })
const http = fastify()

http.post('/payments', async (request) => {
  const { customerID, amountInUSD } = request.body as Body
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    const { rows: callers } = await client.query<{ project: number }>({
      name: 'caller',
      text: 'SELECT project FROM bench.callers WHERE key = $1',
      values: [request.headers['api-key']],
    })
    const { rows: customers } = await client.query<{ id: string }>({
      name: 'customer',
      text: 'INSERT INTO bench.customers (project, name) VALUES ($1, $2) RETURNING id',
      values: [callers[0]?.project, customerID],
    })
    const id = randomUUID()
    await client.query({
      name: 'payment',
      text: 'INSERT INTO bench.payments VALUES ($1, $2, $3, now())',
      values: [id, customers[0]?.id, amountInUSD],
    })
    await client.query({
      name: 'event',
      text: 'INSERT INTO bench.events (payment, payload) VALUES ($1, $2)',
      values: [id, JSON.stringify({ id, customerID, amountInUSD })],
    })
    await client.query('COMMIT')
    return { reference_id: id }
  } finally {
    client.release()
  }
})

process.stdout.write(`${await http.listen({ port: 0, host: '127.0.0.1' })}\n`)
