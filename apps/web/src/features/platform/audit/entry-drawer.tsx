import type { AuditEntry } from '@balcao/contract/platform/audit.ts'
import { auditAction, auditChanges, auditEntities, auditSubject } from '@balcao/contract/platform/audit-words.ts'
import { Drawer, Text } from '@mantine/core'
import { formatExact } from '../../../kit/format.ts'
import classes from './entry-drawer.module.css'
import { whoOf } from './who.ts'

type Props = { entry: AuditEntry | null; onClose: () => void }

/** One entry whole: who, what, when, and every field before and after. */
export const EntryDrawer = ({ entry, onClose }: Props) => (
  <Drawer
    opened={entry !== null}
    onClose={onClose}
    position="right"
    size={520}
    title={
      <Text fw={600} size="lg" component="span">
        {entry && `${auditAction(entry.action)} · ${auditEntities[entry.entity] ?? entry.entity}`}
      </Text>
    }
    closeButtonProps={{ 'aria-label': 'Fechar' }}
  >
    {entry && <Entry entry={entry} />}
  </Drawer>
)

const Entry = ({ entry }: { entry: AuditEntry }) => {
  const changes = auditChanges(entry)
  const subject = auditSubject(entry)
  return (
    <>
      <p className={classes.who}>
        {subject && <strong>{subject}</strong>}
        <span>{whoOf(entry)}</span>
        <time dateTime={entry.at}>{formatExact(entry.at)}</time>
      </p>
      {changes.length === 0 ? (
        <Text c="dimmed">Nenhum campo mudou de valor.</Text>
      ) : (
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Campo</th>
              <th scope="col">Antes</th>
              <th scope="col">Depois</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ label, before, after }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{before || '—'}</td>
                <td>{after || '—'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}
