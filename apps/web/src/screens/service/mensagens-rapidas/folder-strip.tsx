import { useDroppable } from '@dnd-kit/react'
import { UnstyledButton } from '@mantine/core'
import { IconFolder } from '@tabler/icons-react'
import classes from './folder-strip.module.css'

type Folder = { id: string; name: string }
type Props = {
  folders: readonly Folder[]
  /** The folder on screen; '': all of them, 'none': what lies in no folder. */
  value: string
  onChange: (value: string) => void
  /** What is being dragged may be let go there. */
  takes: (folderId: string) => boolean
}

/** The folders in a row: one is looked into by a click, and takes what is dropped on it. */
export const FolderStrip = ({ folders, value, onChange, takes }: Props) => (
  <nav className={classes.strip} aria-label="Pastas">
    {[{ id: '', name: 'Todas' }, ...folders, { id: 'none', name: 'Sem pasta' }].map((folder) => (
      <Place
        key={folder.id}
        folder={folder}
        isOpen={folder.id === value}
        isTarget={folder.id !== '' && takes(folder.id)}
        onOpen={() => onChange(folder.id)}
      />
    ))}
  </nav>
)

type PlaceProps = { folder: Folder; isOpen: boolean; isTarget: boolean; onOpen: () => void }
const Place = ({ folder: { id, name }, isOpen, isTarget, onOpen }: PlaceProps) => {
  const { ref, isDropTarget } = useDroppable({ id: `folder:${id}`, disabled: !isTarget })
  return (
    <UnstyledButton
      ref={ref}
      className={classes.folder}
      aria-pressed={isOpen}
      data-target={isTarget}
      data-over={isTarget && isDropTarget}
      onClick={onOpen}
    >
      {id !== '' && <IconFolder size={16} aria-hidden />}
      <span className="truncate">{name}</span>
    </UnstyledButton>
  )
}
