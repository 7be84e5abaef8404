import { Message } from '../kit/codecs.ts'
import { route } from '../kit/route.ts'
import { MailTestInput, NewMailServer } from './inputs.ts'
import { MailServer, MailTest } from './schemas.ts'

export const mailRoutes = {
  getMailServer: route({
    id: 'C12',
    methods: ['GET'],
    paths: ['/config/smtp'],
    summary: 'Read the mail server',
    access: { permission: 'settings:read' },
    rate: 'dashboard',
    response: MailServer,
    errors: ['SMTP_NOT_SET'],
  }),
  saveMailServer: route({
    id: 'C13',
    methods: ['PUT', 'POST', 'PATCH'],
    paths: ['/config/smtp'],
    summary: 'Set the mail server',
    // Links to choose a password leave through it, those of roots too.
    access: { permission: 'security:write', stepUp: 'S' },
    rate: 'dashboard',
    body: NewMailServer,
    response: MailServer,
    errors: ['EGRESS_NOT_ALLOWED', 'EDIT_CONFLICT'],
  }),
  removeMailServer: route({
    id: 'C14',
    methods: ['DELETE'],
    paths: ['/config/smtp'],
    summary: 'Forget the mail server',
    access: { permission: 'security:write', stepUp: 'S' },
    rate: 'dashboard',
    response: Message,
    errors: ['SMTP_NOT_SET'],
  }),
  testMailServer: route({
    id: 'C15',
    methods: ['POST'],
    paths: ['/config/smtp/test'],
    summary: 'Send a mail to try the mail server',
    access: { permission: 'settings:write' },
    rate: 'egress',
    body: MailTestInput,
    response: MailTest,
    errors: ['SMTP_NOT_SET', 'EGRESS_NOT_ALLOWED'],
    repeatable: true,
  }),
} as const
