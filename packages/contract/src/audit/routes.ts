import * as z from 'zod/mini'

import { id } from '../kit/codecs.ts'
import { route } from '../kit/route.ts'
import { AUDIT_CATEGORIES } from './events.ts'
import { AuditExportQuery, AuditQuery, AuditVerifyQuery } from './inputs.ts'
import { AuditEntry, AuditExportRow, AuditPage, AuditVerification } from './schemas.ts'

export const auditRoutes = {
  listAuditEntries: route({
    id: 'T1',
    methods: ['GET'],
    paths: ['/activity-log'],
    summary: 'Who did what, newest first; every column can be searched.',
    access: { permission: 'audit:read' },
    rate: 'dashboard',
    query: AuditQuery,
    response: AuditPage,
    errors: [],
  }),
  listAuditCategories: route({
    id: 'T2',
    methods: ['GET'],
    paths: ['/activity-log/event-categories'],
    summary: 'The categories of entries.',
    access: { permission: 'audit:read' },
    rate: 'dashboard',
    response: z.array(z.enum(AUDIT_CATEGORIES)),
    errors: [],
  }),
  getAuditEntry: route({
    id: 'T3',
    methods: ['GET'],
    paths: ['/activity-log/{id}'],
    summary: 'One entry, with what changed.',
    access: { permission: 'audit:read' },
    rate: 'dashboard',
    params: z.object({ id }),
    response: AuditEntry,
    errors: ['AUDIT_ROW_NOT_FOUND'],
  }),
  exportAuditEntries: route({
    id: 'T4',
    methods: ['GET'],
    paths: ['/activity-log/export'],
    summary: 'The sealed entries as a file, oldest first, with their hashes.',
    access: { permission: 'audit:export' },
    rate: 'heavy',
    query: AuditExportQuery,
    response: AuditExportRow,
    stream: 'rows',
    fileName: 'activity-log',
    errors: [],
  }),
  verifyAuditEntries: route({
    id: 'T5',
    methods: ['GET'],
    paths: ['/activity-log/verify'],
    summary: 'Whether the chain of hashes over the entries is unbroken.',
    access: { permission: 'audit:export' },
    rate: 'heavy',
    query: AuditVerifyQuery,
    response: AuditVerification,
    errors: [],
  }),
}
