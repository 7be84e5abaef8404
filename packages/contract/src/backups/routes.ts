import { route } from '../kit/route.ts'
import { BackupState } from './schemas.ts'

export const backupsRoutes = {
  getBackupState: route({
    id: 'C17',
    methods: ['GET'],
    paths: ['/system/backups'],
    summary: 'Say when this install was last backed up, and whether that is too long ago',
    access: { permission: ['system:read', 'settings:write'] },
    rate: 'dashboard',
    response: BackupState,
    errors: [],
  }),
}
