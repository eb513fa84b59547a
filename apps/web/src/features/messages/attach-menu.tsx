import { ActionIcon, FileButton, Menu } from '@mantine/core'
import {
  IconAddressBook,
  IconCamera,
  IconFile,
  IconListCheck,
  IconMapPin,
  IconPlus,
  IconTemplate,
} from '@tabler/icons-react'
import { useRef } from 'react'
import { type Abilities, acceptOf } from './abilities.ts'

/** What opens a dialog over the composer. */
export type ComposerDialog = 'location' | 'contact' | 'camera' | 'template' | 'choices'

type Props = {
  abilities: Abilities
  isDisabled: boolean
  onFiles: (files: File[]) => void
  onDialog: (dialog: ComposerDialog) => void
}

/** What the channel carries besides text; nothing when it carries only text. */
export const AttachMenu = ({ abilities, isDisabled, onFiles, onDialog }: Props) => {
  const { files, canAttach, canSendLocation, canSendContact, canUseTemplates } = abilities
  const camera = useRef<HTMLInputElement>(null)
  if (!canAttach && !canSendLocation && !canSendContact) return null
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
          <Menu position="top-start" width={210} withInitialFocusPlaceholder={false}>
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
              {canAttach && (
                <Menu.Item leftSection={<IconFile size={17} aria-hidden />} onClick={onClick}>
                  Arquivos
                </Menu.Item>
              )}
              {files.includes('image') && (
                <Menu.Item leftSection={<IconCamera size={17} aria-hidden />} onClick={handleCamera}>
                  Câmera
                </Menu.Item>
              )}
              {canSendContact && (
                <Menu.Item leftSection={<IconAddressBook size={17} aria-hidden />} onClick={() => onDialog('contact')}>
                  Contato
                </Menu.Item>
              )}
              {canSendLocation && (
                <Menu.Item leftSection={<IconMapPin size={17} aria-hidden />} onClick={() => onDialog('location')}>
                  Localização
                </Menu.Item>
              )}
              <Menu.Item leftSection={<IconListCheck size={17} aria-hidden />} onClick={() => onDialog('choices')}>
                Botões ou lista
              </Menu.Item>
              {canUseTemplates && (
                <Menu.Item leftSection={<IconTemplate size={17} aria-hidden />} onClick={() => onDialog('template')}>
                  Modelo aprovado
                </Menu.Item>
              )}
            </Menu.Dropdown>
          </Menu>
        )}
      </FileButton>
    </>
  )
}
