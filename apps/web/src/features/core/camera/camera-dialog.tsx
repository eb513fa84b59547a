import { Button, FileButton, Group, Modal, Text } from '@mantine/core'
import { IconCamera, IconCameraOff, IconRefresh } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import classes from './camera-dialog.module.css'

type Props = { onPhoto: (photo: File) => void; onClose: () => void }

/** Takes a photo, shows it, and hands it over or takes another. */
export const CameraDialog = ({ onPhoto, onClose }: Props) => {
  const video = useRef<HTMLVideoElement>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isReady, setReady] = useState(false)
  const [photo, setPhoto] = useState<{ file: File; url: string } | null>(null)

  useEffect(() => {
    if (photo) return () => URL.revokeObjectURL(photo.url)
    let stream: MediaStream | undefined
    let isGone = false
    setReady(false)
    openCamera()
      .then((opened) => {
        stream = opened
        if (isGone) return stop(opened)
        if (video.current) video.current.srcObject = opened
      })
      .catch((error: unknown) => {
        if (!isGone) setProblem(reasonOf(error))
      })
    return () => {
      isGone = true
      stop(stream)
    }
  }, [photo])

  const handleShoot = async () => {
    const file = video.current && (await frameOf(video.current))
    if (file) setPhoto({ file, url: URL.createObjectURL(file) })
  }
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={<Text fw={600}>Tirar foto</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      {problem ? (
        <div className={classes.problem} role="alert">
          <IconCameraOff size={32} stroke={1.5} aria-hidden />
          <Text>{problem}</Text>
        </div>
      ) : photo ? (
        <img src={photo.url} alt="Foto tirada agora" className={classes.picture} />
      ) : (
        <video
          ref={video}
          className={classes.picture}
          autoPlay
          playsInline
          muted
          aria-label="Imagem da câmera"
          onLoadedData={() => setReady(true)}
        />
      )}
      <Group justify="flex-end" gap="xs" mt="md">
        {problem ? (
          <FileButton accept="image/*" onChange={(file) => file && onPhoto(file)} inputProps={{ 'aria-label': 'Foto' }}>
            {(props) => <Button {...props}>Escolher uma foto</Button>}
          </FileButton>
        ) : photo ? (
          <>
            <Button
              variant="default"
              leftSection={<IconRefresh size={17} aria-hidden />}
              onClick={() => setPhoto(null)}
            >
              Tirar outra
            </Button>
            <Button data-autofocus autoFocus onClick={() => onPhoto(photo.file)}>
              Anexar
            </Button>
          </>
        ) : (
          <Button
            data-autofocus
            disabled={!isReady}
            leftSection={<IconCamera size={17} aria-hidden />}
            onClick={() => void handleShoot()}
          >
            Tirar foto
          </Button>
        )}
      </Group>
    </Modal>
  )
}

const openCamera = (): Promise<MediaStream> => {
  if (!navigator.mediaDevices) return Promise.reject(new DOMException('', 'NotSupportedError'))
  return navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment', width: { ideal: 1_920 } } })
}
const stop = (stream: MediaStream | undefined) => {
  for (const track of stream?.getTracks() ?? []) track.stop()
}

const frameOf = async (video: HTMLVideoElement): Promise<File | null> => {
  const canvas = document.createElement('canvas')
  canvas.width = video.videoWidth
  canvas.height = video.videoHeight
  canvas.getContext('2d')?.drawImage(video, 0, 0)
  const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.9))
  return picture && new File([picture], 'foto.jpg', { type: 'image/jpeg' })
}

const reasonOf = (error: unknown): string => {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError')
    return 'A câmera está bloqueada para este site. Clique no cadeado ao lado do endereço, permita a câmera e abra de novo.'
  if (name === 'NotFoundError') return 'Nenhuma câmera foi encontrada. Conecte uma ou escolha uma foto.'
  if (name === 'NotReadableError') return 'A câmera está em uso por outro programa. Feche-o e abra de novo.'
  return 'Este navegador não abre a câmera aqui. Escolha uma foto do aparelho.'
}
