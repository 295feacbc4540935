<?php
// A calendar server made of Debian's php-sabre-dav, run by `php -S`: one user, who signs in by Digest, as Baikal's do, or by Basic.
// Version 1.8 was written for older PHP, whose newer notices are not errors of its own.
error_reporting(E_ERROR);
date_default_timezone_set('UTC');
require_once 'Sabre/autoload.php';

function password() {
    return file_get_contents(getenv('SABRE_PASSWORD_FILE'));
}

class BasicUsers extends \Sabre\DAV\Auth\Backend\AbstractBasic {
    protected function validateUserPass($username, $password) {
        return $username === getenv('SABRE_USER') && $password === password();
    }
}

class DigestUsers extends \Sabre\DAV\Auth\Backend\AbstractDigest {
    function getDigestHash($realm, $username) {
        return $username === getenv('SABRE_USER') ? md5("$username:$realm:" . password()) : null;
    }
}

$data = new \PDO('sqlite:' . getenv('SABRE_DATABASE'));
$data->setAttribute(\PDO::ATTR_ERRMODE, \PDO::ERRMODE_EXCEPTION);
$principals = new \Sabre\DAVACL\PrincipalBackend\PDO($data);
$calendars = new \Sabre\CalDAV\Backend\PDO($data);
$server = new \Sabre\DAV\Server([
    new \Sabre\CalDAV\Principal\Collection($principals),
    new \Sabre\CalDAV\CalendarRootNode($principals, $calendars),
]);
$server->setBaseUri('/dav.php/');
$users = getenv('SABRE_SCHEME') === 'basic' ? new BasicUsers() : new DigestUsers();
$server->addPlugin(new \Sabre\DAV\Auth\Plugin($users, 'BaikalDAV'));
$server->addPlugin(new \Sabre\DAVACL\Plugin());
$server->addPlugin(new \Sabre\CalDAV\Plugin());
$server->exec();
