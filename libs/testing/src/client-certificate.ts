import path from 'node:path';

const FOLDER = path.join(__dirname, 'client-certificate');

/** PEM files of a client certificate, and of the authority that a server must trust to accept it. */
export const CLIENT_CERTIFICATE = {
  authorityFile: path.join(FOLDER, 'authority.pem'),
  certFile: path.join(FOLDER, 'certificate.pem'),
  keyFile: path.join(FOLDER, 'key.pem'),
};
