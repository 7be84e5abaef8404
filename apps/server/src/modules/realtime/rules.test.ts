import type { Permission } from '@kassa/contract/permissions.ts'
import { describe, expect, it } from 'vitest'

import { readMessage } from './protocol.ts'
import { type Grants, holds, readTopic, topicsOf } from './rules.ts'

const REFERENCE = '01920000-0000-7000-8000-000000000001'

describe('realtime.readTopic', () => {
  it('reads the topics of the protocol with what each needs', () => {
    expect(readTopic('project:7:payments')).toEqual({ projectId: 7, permission: 'payment:read' })
    expect(readTopic('project:all:deliveries')).toEqual({ projectId: null, permission: 'webhook:read' })
    expect(readTopic(`project:7:payment:${REFERENCE}`)).toEqual({ projectId: 7, permission: 'payment:read' })
    expect(readTopic('system:vaults')).toEqual({ projectId: null, permission: 'vault:read' })
    expect(readTopic('system:workers')).toEqual({ projectId: null, permission: 'system:read' })
    expect(readTopic('project:7:bulk-jobs')).toEqual({ projectId: 7, permission: 'project:read' })
    expect(readTopic('me')).toEqual({ projectId: null, permission: null })
  })

  it('knows no others', () => {
    const others = [
      '',
      'payments',
      'project:7',
      'project:x:payments',
      'project:7:payment',
      `project:7:payments:${REFERENCE}`,
    ]
    for (const text of [...others, 'project:7:constructor', 'toString', '__proto__', 'project:9999999999:payments']) {
      expect([text, readTopic(text)]).toEqual([text, null])
    }
  })
})

describe('realtime.holds', () => {
  const grants = (install: Permission[], projects: [number, Permission[]][]): Grants => ({
    install: new Set(install),
    projects: new Map(projects.map(([id, granted]) => [id, new Set(granted)])),
  })

  it('looks into the project that is meant', () => {
    const granted = grants([], [[7, ['payment:read']]])
    expect(holds(granted, 'payment:read', 7)).toBe(true)
    expect(holds(granted, 'payment:read', 8)).toBe(false)
    expect(holds(granted, 'webhook:read', 7)).toBe(false)
    expect(holds(granted, 'payment:read', null)).toBe(true)
    expect(holds(granted, 'webhook:read', null)).toBe(false)
  })

  it('grants in every project what is held for the install', () => {
    expect(holds(grants(['payment:read'], []), 'payment:read', 8)).toBe(true)
    expect(holds(grants([], []), null, null)).toBe(true)
  })
})

describe('realtime.topicsOf', () => {
  it('publishes a payment to its project, to all projects and to its own page', () => {
    expect(topicsOf({ name: 'payment.filled', projectId: 7, referenceId: REFERENCE })).toEqual({
      topics: ['project:7:payments', 'project:all:payments', `project:7:payment:${REFERENCE}`],
      permission: 'payment:read',
    })
  })

  it('publishes the progress of a bulk job to its project and to all projects', () => {
    expect(topicsOf({ name: 'bulk-job.progress', projectId: 7 })).toEqual({
      topics: ['project:7:bulk-jobs', 'project:all:bulk-jobs'],
      permission: 'project:read',
    })
  })

  it('publishes what happens to an operator to that operator alone', () => {
    const happened = { name: 'operator.signed_in', projectId: null }
    expect(topicsOf({ ...happened, operatorId: 7 })).toEqual({ topics: ['me'], permission: null, operatorId: 7 })
    expect(topicsOf(happened).operatorId).toBe(0)
  })

  it('publishes deliveries and blockchains to their own topics', () => {
    expect(topicsOf({ name: 'delivery.changed', projectId: 7 }).topics).toEqual([
      'project:7:deliveries',
      'project:all:deliveries',
    ])
    expect(topicsOf({ name: 'blockchain.changed', projectId: null }).topics).toEqual(['system:chains'])
    expect(topicsOf({ name: 'vault.changed', projectId: null })).toEqual({
      topics: ['system:vaults'],
      permission: 'vault:read',
    })
    expect(topicsOf({ name: 'worker.changed', projectId: null })).toEqual({
      topics: ['system:workers'],
      permission: 'system:read',
    })
  })
})

describe('realtime.readMessage', () => {
  it('reads what the protocol knows', () => {
    expect(readMessage('{"type":"subscribe","id":1,"topics":["me"]}')).toMatchObject({ type: 'subscribe', id: 1 })
    expect(readMessage('{"type":"pong"}')).toMatchObject({ type: 'pong' })
  })

  it('reads nothing else', () => {
    const others = ['', 'hello', 'null', '[]', '{}', '{"type":"event"}', '{"type":"auth","token":1,"clientID":"a"}']
    for (const text of [...others, `{"type":"subscribe","id":1,"topics":["${'x'.repeat(101)}"]}`]) {
      expect([text, readMessage(text)]).toEqual([text, null])
    }
  })
})
