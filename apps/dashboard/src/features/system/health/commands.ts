/** The command that takes a backup, as the guide has it. */
export const BACKUP_COMMAND = 'npm run backup -- --to /mnt/backups'
