import * as z from 'zod/mini'

import { id, Message } from '../kit/codecs.ts'
import { route } from '../kit/route.ts'
import { NewNode, NodeChange } from './inputs.ts'
import { ConnectionTest, Node } from './schemas.ts'

const blockchainPath = z.object({ x: z.string() })
const nodePath = z.object({ x: z.string(), id })

export const nodesRoutes = {
  testConnection: route({
    id: 'B4',
    methods: ['GET', 'POST'],
    paths: ['/blockchain/{x}/test-connection'],
    summary: 'Ask every node of a blockchain now how it is.',
    access: { permission: 'blockchain:read' },
    rate: 'egress',
    params: blockchainPath,
    response: ConnectionTest,
    errors: ['BLOCKCHAIN_NOT_FOUND'],
    repeatable: true,
  }),

  listNodes: route({
    id: 'B5',
    methods: ['GET'],
    paths: ['/blockchain/{x}/nodes'],
    summary: 'The nodes of a blockchain, the one to ask first at the head.',
    access: { permission: 'blockchain:read' },
    rate: 'dashboard',
    params: blockchainPath,
    response: z.array(Node),
    errors: ['BLOCKCHAIN_NOT_FOUND'],
  }),

  addNode: route({
    id: 'B5',
    methods: ['POST'],
    paths: ['/blockchain/{x}/nodes'],
    summary: 'Add a node after it proved which network it serves.',
    access: { permission: 'blockchain:write', stepUp: 'S' },
    rate: 'dashboard',
    params: blockchainPath,
    body: NewNode,
    response: Node,
    status: 201,
    errors: [
      'BLOCKCHAIN_NOT_FOUND',
      'NODE_EXISTS',
      'NODE_WRONG_NETWORK',
      'NODE_UNREACHABLE',
      'EGRESS_NOT_ALLOWED',
      'FAMILY_UNSUPPORTED',
    ],
  }),

  changeNode: route({
    id: 'B6',
    methods: ['PUT', 'PATCH'],
    paths: ['/blockchain/{x}/nodes/{id}'],
    summary: 'Change a node: absent keeps, empty clears; a new URL or secret is tried first.',
    access: { permission: 'blockchain:write', stepUp: 'S' },
    rate: 'dashboard',
    params: nodePath,
    body: NodeChange,
    response: Node,
    errors: [
      'BLOCKCHAIN_NOT_FOUND',
      'NODE_NOT_FOUND',
      'NODE_EXISTS',
      'LAST_NODE',
      'NODE_WRONG_NETWORK',
      'NODE_UNREACHABLE',
      'EGRESS_NOT_ALLOWED',
    ],
  }),

  removeNode: route({
    id: 'B7',
    methods: ['DELETE'],
    paths: ['/blockchain/{x}/nodes/{id}'],
    summary: 'Remove a node with its secrets.',
    access: { permission: 'blockchain:write', stepUp: 'S' },
    rate: 'dashboard',
    params: nodePath,
    response: Message,
    errors: ['BLOCKCHAIN_NOT_FOUND', 'NODE_NOT_FOUND', 'LAST_NODE'],
  }),
}
