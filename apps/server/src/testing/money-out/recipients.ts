/** An address book with a mail server, as operators and API keys use it through the wire. */
import { randomBytes } from 'node:crypto'
import { evmAdapter } from '@kassa/chains/evm/adapter.ts'
import { chainIn } from '@kassa/chains/chain.ts'
import { mailRoutes } from '@kassa/contract/mail/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { recipientsRoutes } from '@kassa/contract/recipients/routes.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { sql } from 'kysely'

import { asSystem } from '../../context.ts'
import { mailCodeJob } from '../../modules/withdrawals/recipients/codes.ts'
import { findPayableRecipient } from '../../modules/withdrawals/recipients/service.ts'
import { factorWorld, MINUTE } from '../accounts/factors.ts'
import { MAIL_USER, startMailbox } from '../services/mailbox.ts'

/** A random address of an EVM chain. */
export function anyAddress(): string {
  const eth = findBlockchain('ETH')
  if (!eth) throw new Error('Ethereum is gone')
  return evmAdapter.addresses.format(chainIn('sandbox', eth), randomBytes(20))
}

/** Two projects, a mail server, and what tests of recipients do again and again. */
export async function recipientWorld() {
  const world = await factorWorld()
  const { app, advance } = world
  const mailbox = await startMailbox()
  const project = async (name: string) =>
    (await app.call(projectsRoutes.createProject, { body: { name } }, { key: world.root() })).body.id
  const [shop, other] = [await project('Shop'), await project('Other')]

  const nextTest = async () => {
    advance(61 * MINUTE)
    await world.nextTest()
    await sql`DELETE FROM pgboss.job WHERE name = ${mailCodeJob.queue}`.execute(app.ctx.db)
    const server = { host: '127.0.0.1', port: mailbox.port, ...MAIL_USER, encryption: 'none' } as const
    await app.call(mailRoutes.saveMailServer, { body: { ...server, from: 'k@shop.example' } }, { key: world.root() })
  }
  const stop = async () => {
    await mailbox.close()
    await app.stop()
  }

  const create = (more: object = {}, key = world.root()) => {
    const address = anyAddress()
    const body = { name: 'Ann', email: 'Ann@Example.org', blockchainCode: 'ETH', address, projectIDs: [shop], ...more }
    return app.call(recipientsRoutes.createRecipient, { body }, { key })
  }
  const change = (id: number, body: object, key = world.root()) =>
    app.call(recipientsRoutes.changeRecipient, { params: { id }, body }, { key })
  const remove = (id: number, key = world.root()) =>
    app.call(recipientsRoutes.deleteRecipient, { params: { id } }, { key })
  const verify = (entityID: number | string, otpCode: string, key = world.root()) =>
    app.call(recipientsRoutes.verifyRecipient, { body: { entityID, scope: 'recipient', otpCode } }, { key })
  const send = (id: number, key = world.root()) =>
    app.call(recipientsRoutes.sendRecipientCode, { params: { id } }, { key })
  const list = (query: object = {}, key = world.root()) => app.call(recipientsRoutes.listRecipients, { query }, { key })
  const payable = (recipientId: number, projectId = shop) => findPayableRecipient(app.ctx, { projectId, recipientId })

  /** Does the queued work and returns the newest mail with its code. */
  const mailed = async () => {
    const { rows } = await sql<{ data: { codeId: string } }>`
      SELECT data FROM pgboss.job WHERE name = ${mailCodeJob.queue} ORDER BY created_on`.execute(app.ctx.db)
    const data = rows.at(-1)?.data
    if (!data) throw new Error('No code was asked for')
    const count = mailbox.mails.length
    await mailCodeJob.run(asSystem(app.ctx), data)
    const mail = await mailbox.holds(count + 1)
    const text = mail.text ?? ''
    const to = Array.isArray(mail.to) ? '' : (mail.to?.text ?? '')
    return { code: /Code: (\d{6})/.exec(text)?.[1] ?? '', text, to }
  }
  /** A recipient whose code was mailed. */
  const pending = async (more: object = {}) => {
    const { body } = await create(more)
    return { id: body.recipient.id, ...(await mailed()) }
  }

  return {
    ...{ world, app, advance, mailbox, project, shop, other, nextTest, stop },
    ...{ create, change, remove, verify, send, list, payable, mailed, pending },
  }
}
