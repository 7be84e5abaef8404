import type { AddressInfo } from 'node:net'

import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'

export type Mailbox = {
  readonly port: number
  /** Mails in the order they came. */
  readonly mails: ParsedMail[]
  /** Resolves with the newest when so many mails have come. */
  readonly holds: (count: number) => Promise<ParsedMail>
  /** Refuses every mail with this sentence, or takes them again. */
  readonly refuseWith: (sentence: string | null) => void
  readonly close: () => Promise<void>
}

export const MAIL_USER = { username: 'kassa', password: 'Mail.Secret7' } as const

/** A real mail server on a loopback port of its own, without encryption; it wants `MAIL_USER`. */
export async function startMailbox(): Promise<Mailbox> {
  const mails: ParsedMail[] = []
  const waiting = new Set<() => void>()
  let refusal: string | null = null
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) =>
      username === MAIL_USER.username && password === MAIL_USER.password
        ? done(null, { user: username })
        : done(new Error('Wrong user name or password')),
    onMailFrom: (_address, _session, done) => done(refusal === null ? null : new Error(refusal)),
    onData: (stream, _session, done) => {
      simpleParser(stream).then(
        (mail) => {
          mails.push(mail)
          for (const check of waiting) check()
          done()
        },
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
      )
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    holds: (count) =>
      new Promise((resolve) => {
        const check = () => {
          const mail = mails[count - 1]
          if (!mail) return
          waiting.delete(check)
          resolve(mail)
        }
        waiting.add(check)
        check()
      }),
    refuseWith: (sentence) => void (refusal = sentence),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
