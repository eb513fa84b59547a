import { ActionIcon, FileButton, Menu } from '@mantine/core'
import {
  type Icon,
  IconAddressBook,
  IconCamera,
  IconChartBar,
  IconClick,
  IconFile,
  IconListCheck,
  IconMapPin,
  IconPlus,
  IconTemplate,
} from '@tabler/icons-react'
import { useRef } from 'react'
import { MenuAction } from '../../../ui/menu-action.tsx'
import { type Abilities, acceptOf, type Lack } from '../../conversations/messages/abilities.ts'

/** What opens a dialog over the composer. */
export type ComposerDialog = 'location' | 'contact' | 'camera' | 'template' | 'choices' | 'request' | 'poll'

type Props = {
  abilities: Abilities
  isDisabled: boolean
  onFiles: (files: File[]) => void
  onDialog: (dialog: ComposerDialog) => void
}

/** What goes besides text; what the channel does not carry stays in its place and says so. */
export const AttachMenu = ({ abilities, isDisabled, onFiles, onDialog }: Props) => {
  const { why } = abilities
  const camera = useRef<HTMLInputElement>(null)
  // A phone has a better camera of its own.
  const handleCamera = () =>
    window.matchMedia('(pointer: coarse)').matches ? camera.current?.click() : onDialog('camera')
  return (
    <>
      <input
        ref={camera}
        type="file"
        accept="image/*"
        capture="environment"
        hidden
        aria-label="Foto da câmera"
        onChange={(event) => onFiles([...(event.currentTarget.files ?? [])])}
      />
      <FileButton multiple accept={acceptOf(abilities)} onChange={onFiles} inputProps={{ 'aria-label': 'Arquivos' }}>
        {({ onClick }) => (
          <Menu position="top-start" width={240} withInitialFocusPlaceholder={false}>
            <Menu.Target>
              <ActionIcon
                title="Anexar"
                aria-label="Anexar"
                disabled={isDisabled}
                bg={isDisabled ? 'transparent' : undefined}
              >
                <IconPlus size={20} stroke={1.75} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <MenuAction obstacle={why('files')} leftSection={<IconFile size={17} aria-hidden />} onClick={onClick}>
                Arquivos
              </MenuAction>
              <MenuAction
                obstacle={why('image')}
                leftSection={<IconCamera size={17} aria-hidden />}
                onClick={handleCamera}
              >
                Câmera
              </MenuAction>
              {dialogs.map(({ name, label, icon: Icon, lack }) => (
                <MenuAction
                  key={name}
                  obstacle={lack && why(lack)}
                  leftSection={<Icon size={17} aria-hidden />}
                  onClick={() => onDialog(name)}
                >
                  {label}
                </MenuAction>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
      </FileButton>
    </>
  )
}

const dialogs = [
  { name: 'contact', label: 'Contato', icon: IconAddressBook, lack: 'contact' },
  { name: 'location', label: 'Localização', icon: IconMapPin, lack: 'location' },
  // As words where a channel has no buttons.
  { name: 'choices', label: 'Botões ou lista', icon: IconListCheck, lack: null },
  { name: 'request', label: 'Pedido, link ou catálogo', icon: IconClick, lack: null },
  { name: 'poll', label: 'Enquete', icon: IconChartBar, lack: 'poll' },
  { name: 'template', label: 'Modelo aprovado', icon: IconTemplate, lack: 'template' },
] as const satisfies { name: ComposerDialog; label: string; icon: Icon; lack: Lack | null }[]
